package hosts

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// TestURL runs hosts with a server at a URL, which they cannot reach themselves.
func TestURL(t *testing.T) {
	address := overHTTP(t, built.probe, "clean")
	for _, host := range []string{"claude", "codex", "gemini"} {
		t.Run(host, func(t *testing.T) { checkURL(t, built.players, host, address) })
	}
}

// TestRealURL does so with the real hosts.
func TestRealURL(t *testing.T) {
	folder := real(t)
	address := overHTTP(t, built.probe, "clean")
	for host := range hostNames {
		t.Run(host, func(t *testing.T) { checkURL(t, folder, host, address) })
	}
}

func checkURL(t *testing.T, folder, host, address string) {
	t.Helper()
	temp := t.TempDir()
	report := runHosts(t, temp, t.TempDir(), "--run", host, "--run-from", folder, "--as", "probe", "--header",
		"X-Key: key-of-the-user", "echo", address)
	if report.status != 0 || len(report.Runs) != 1 {
		t.Fatalf("exit status %d, %d runs: %s", report.status, len(report.Runs), report.stderr)
	}
	r := report.Runs[0]
	if !r.Bridged || r.Lost || len(r.Tools) != 3 || len(r.Results) != 1 || r.Session.Calls != 1 {
		t.Errorf("run %+v, want three tools and a result over a bridge", r)
	}
	noLeftovers(t, temp)
}

// overHTTP serves a command at a URL. Each request must have the key of the user, and each after the first the session.
func overHTTP(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		first := bytes.Contains(body, []byte(`"initialize"`)) || bytes.Contains(body, []byte(`"server/discover"`))
		switch {
		case r.Header.Get("X-Key") != "key-of-the-user":
			w.WriteHeader(http.StatusUnauthorized)
			return
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case !first && r.Header.Get("Mcp-Session-Id") != "one":
			w.WriteHeader(http.StatusBadRequest)
			return
		case !bytes.Contains(body, []byte(`"id"`)):
			w.WriteHeader(http.StatusAccepted)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(in, strings.ReplaceAll(string(body), "\n", " "))
		line, _ := lines.ReadString('\n')
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Mcp-Session-Id", "one")
		_, _ = io.WriteString(w, line)
	}))
	t.Cleanup(func() { server.Close(); _ = in.Close(); _ = cmd.Wait() })
	return server.URL + "/mcp"
}
