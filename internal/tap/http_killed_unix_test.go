//go:build unix

package tap

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// If a tap in front of an HTTP server is killed, the client and the server see the end of their connections, on event
// streams and in requests that wait for their response, and the recording has what passed.
func TestKilledHTTPTap(t *testing.T) {
	for name, faults := range map[string]string{"without faults": "", "with faults": "ping:delay=5m tools/*:drop"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testKilledHTTPTap(t, faults)
		})
	}
}

func testKilledHTTPTap(t *testing.T, faults string) {
	arrived, ended := make(chan string, 2), make(chan string, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the end of the connection is not noticed
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: endpoint\ndata: /messages\n\n")
			_ = http.NewResponseController(w).Flush()
		}
		arrived <- r.Method
		<-r.Context().Done()
		ended <- r.Method
	}))
	defer server.Close()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), self(t), "__tap_http", dir, server.URL+"/mcp")
	cmd.Env = append(os.Environ(), "TAP_FAULTS="+faults)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + strings.TrimSpace(line) + "/mcp"
	stream, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	events := bufio.NewReader(stream.Body)
	if line, err := events.ReadString('\n'); line != "event: endpoint\n" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	answered := make(chan error, 1)
	go func() {
		response, err := http.Post(address, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"wait"}`))
		if err == nil {
			err = fmt.Errorf("status %d", response.StatusCode)
			_ = response.Body.Close()
		}
		answered <- err
	}()
	<-arrived
	<-arrived
	eventually(t, "both requests are recorded", func() bool {
		text, _ := os.ReadFile(FramesFile(dir, sessionID(dir)))
		return strings.Contains(string(text), `"from":"client","stream":"post-`) && strings.Contains(string(text), "/messages")
	})
	_ = cmd.Process.Kill()
	if err := <-answered; err == nil || strings.Contains(err.Error(), "status") {
		t.Errorf("the request ends with %v, want that its connection breaks", err)
	}
	if rest, err := io.ReadAll(events); err == nil {
		t.Errorf("the stream ends with %q and without an error: it is not complete", rest)
	}
	<-ended
	<-ended // the server waits for no client
	_ = cmd.Wait()
	s, frames := recorded(t, dir)
	if s.Ended != nil || s.Running() || len(frames) < 3 {
		t.Errorf("session %+v with %d frames, want one that has not ended, and does not run", s, len(frames))
	}
}

// sessionID returns the ID of the only session of a folder; empty if there is none.
func sessionID(dir string) string {
	s, err := Find(dir, "")
	if err != nil {
		return ""
	}
	return s.ID
}
