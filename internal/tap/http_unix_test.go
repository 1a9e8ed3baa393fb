//go:build unix

package tap

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// maxFaultyInTests is the largest HTTP message that can have a fault in the tests.
const maxFaultyInTests = 256 << 10

// tapHTTP starts tap in front of a handler. It returns the URL of tap, and a function that ends it and returns the
// recording.
func tapHTTP(t *testing.T, handler http.Handler) (address string, end func() (*Session, []wire.Frame)) {
	t.Helper()
	return tapHTTPWith(t, handler, "")
}

// tapHTTPWith starts tap with faults.
func tapHTTPWith(t *testing.T, handler http.Handler, faults string) (string, func() (*Session, []wire.Frame)) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	parsed, err := url.Parse(server.URL + "/mcp")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	dir, done := t.TempDir(), make(chan error, 1)
	go func() {
		done <- HTTP(ctx, Options{Dir: dir, URL: parsed.String(), Faults: faultsOf(faults), maxFaulty: maxFaultyInTests,
			Secrets: redact.New()}, listener, parsed)
	}()
	return "http://" + listener.Addr().String() + "/mcp", func() (*Session, []wire.Frame) {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		return recorded(t, dir)
	}
}

// Bodies and headers pass unchanged, except for the host; the recording has the bodies, and no credentials.
func TestHTTPExactValues(t *testing.T) {
	type seen struct{ body, host, origin, authorization, path string }
	requests := make(chan seen, 1)
	address, end := tapHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- seen{string(body), r.Host, r.Header.Get("Origin"), r.Header.Get("Authorization"), r.RequestURI}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Server", "yes")
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(body)
	}))
	all := wiretest.ExactArguments()
	for i, arguments := range all {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"x","params":%s}`, i, arguments)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"?a=1;b", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer abcdefghijkl")
		req.Header.Set("Origin", "http://evil.example")
		req.Host = "evil.example"
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if sent := <-requests; sent != (seen{body, "evil.example", "http://evil.example", "Bearer abcdefghijkl",
			"/mcp?a=1;b"}) {
			t.Fatalf("the server received %.300v", sent)
		}
		if err != nil || string(got) != body || resp.StatusCode != http.StatusAccepted ||
			resp.Header.Get("X-Server") != "yes" {
			t.Fatalf("the client received status %d, %.300s, %v", resp.StatusCode, got, err)
		}
	}
	_, frames := end()
	if len(frames) != 2*len(all) {
		t.Fatalf("%d frames, want %d", len(frames), 2*len(all))
	}
	for i, arguments := range all {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"x","params":%s}`, i, arguments)
		sent, received := frames[2*i], frames[2*i+1]
		if string(sent.Body) != body || string(received.Body) != body || received.Status != http.StatusAccepted {
			t.Fatalf("recorded %.300s and %.300s", sent.Body, received.Body)
		}
		if got := sent.Header.Get("Authorization"); got != "Bearer "+redact.Placeholder {
			t.Fatalf("the recording has the credentials %q", got)
		}
	}
}

// Events reach the client when they are sent, also over the transport of 2024-11-05, and responses are paired.
func TestHTTPEvents(t *testing.T) {
	step := make(chan struct{})
	address, end := tapHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range []string{"event: endpoint\ndata: http://" + r.Host + "/messages?s=1\n\n", ": comment\n\n",
			"id: 7\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\r\ndata: \"result\":{}}\r\n\r\n"} {
			_, _ = io.WriteString(w, event)
			_ = http.NewResponseController(w).Flush()
			<-step
		}
	}))
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	next := func(want string) {
		t.Helper()
		if line, err := in.ReadString('\n'); line != want || err != nil {
			t.Fatalf("read %q, %v, want %q", line, err, want)
		}
	}
	own := strings.TrimSuffix(address, "/mcp")
	next("event: endpoint\n")
	next("data: " + own + "/messages?s=1\n") // the client stays on tap
	posted, err := http.Post(own+"/messages?s=1", "application/json",
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil || posted.StatusCode != http.StatusAccepted {
		t.Fatal(posted, err)
	}
	_ = posted.Body.Close()
	step <- struct{}{}
	next("\n")
	next(": comment\n")
	step <- struct{}{}
	next("\n")
	next("id: 7\r\n")
	step <- struct{}{}
	_, _ = io.Copy(io.Discard, in)
	_, frames := end()
	var last wire.Frame
	for _, f := range frames {
		if f.Event != nil && f.Event.ID == "7" {
			last = f
		}
	}
	if string(last.Body) != "{\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{}}" || last.Reply == 0 {
		t.Errorf("the last event is %+v", last)
	}
}

// A server that cannot be reached is an error for the client, and in the recording.
func TestHTTPServerUnreachable(t *testing.T) {
	address, end := tapHTTP(t, http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		panic(http.ErrAbortHandler)
	}))
	resp, err := http.Post(address, "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusBadGateway ||
		!strings.Contains(string(text), "mcptest tap: cannot reach http://127.0.0.1") {
		t.Errorf("status %d: %s", resp.StatusCode, text)
	}
	_, frames := end()
	if last := frames[len(frames)-1]; last.Err == nil || last.Status != http.StatusBadGateway {
		t.Errorf("recorded %+v", last)
	}
}

// A client that stops reading a stream ends it for the server, and the recording says who ended it.
func TestHTTPClientCloses(t *testing.T) {
	ended := make(chan struct{})
	address, end := tapHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	}))
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = resp.Body.Read(make([]byte, 1))
	_ = resp.Body.Close()
	<-ended
	_, frames := end()
	if last := frames[len(frames)-1]; last.Err == nil || last.Err.Error() != errClientClosed.Error() {
		t.Errorf("recorded %+v, want the error %q", last, errClientClosed)
	}
}

// A closedAfterEnd is the body of a request that http.Server has closed after its end.
type closedAfterEnd struct{ *strings.Reader }

func (b closedAfterEnd) Read(p []byte) (int, error) {
	if b.Len() == 0 {
		return 0, http.ErrBodyReadAfterClose
	}
	return b.Reader.Read(p)
}

func (closedAfterEnd) Close() error { return nil }

// The response may begin before http.Transport has seen the end of the request body. http.Server closes the body then,
// and the error would end the response.
func TestRequestBodyClosedAfterItsEnd(t *testing.T) {
	const text = `{"jsonrpc":"2.0"}`
	b := &body{ReadCloser: closedAfterEnd{strings.NewReader(text)}, proxy: &proxy{queue: newQueue(1 << 20)},
		stream: &stream{from: wire.Client, name: "post-1", http: true}, size: int64(len(text))}
	got, err := io.ReadAll(b)
	if string(got) != text || err != nil {
		t.Errorf("got %q, %v; want %q without an error", got, err, text)
	}
}
