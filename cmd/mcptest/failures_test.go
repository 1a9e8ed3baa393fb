package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcptest-dev/mcptest/internal/golden"
)

var update = flag.Bool("update", false, "update golden files")

// TestFailures provokes the most common failures, one per file in testdata/failures, and compares what a user sees:
// what happened, where, and what to do. A file has a title, a command line for a shell after "$ ", the files of the
// working directory, and the expected exit status and output in "want". Variables in the command line, such as $WEB,
// are the addresses of failing servers.
func TestFailures(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the command lines are for sh")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "failures", "*.txtar"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d failures (%v), want 40 or more", len(files), err)
	}
	servers := failingServers(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			checkFailure(t, file, servers)
		})
	}
}

func checkFailure(t *testing.T, file string, servers map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	last := len(archive.Files) - 1
	if last < 0 || archive.Files[last].Name != "want" {
		t.Fatalf("%s: the last section must be want", file)
	}
	_, line, ok := strings.Cut(strings.TrimSpace(string(archive.Comment)), "\n$ ")
	if !ok {
		t.Fatalf("%s: no command line", file)
	}
	got := provoke(t, line, archive.Files[:last], servers)
	if m := goInternals.FindString(got); m != "" {
		t.Errorf("%s: the output contains %q, which only means something to a Go programmer:\n%s", line, m, got)
	}
	archive.Files[last].Data = []byte(got)
	golden.Check(t, file, string(txtar.Format(archive)), *update)
}

// goInternals matches errors, types and formatting mistakes of Go, which no user should have to understand.
var goInternals = regexp.MustCompile(`context deadline exceeded|context ` +
	`canceled|\bEOF\b|%!|0xc000|\*[a-z]+\.[A-Za-z]+|json: cannot unmarshal|dial tcp|` +
	`i/o timeout|goroutine \d|panic:|x509:|tls: |strconv\.|exec: |fork/exec|<nil>|map\[|use of closed network|yaml: ` +
	`line|read tcp|` +
	`(?:Post|Get) "|lookup [a-z]|net/http|unmarshal|interface \{\}|struct \{|bind: |\bsyscall\b|open /|mkdir `)

// elapsed matches the duration of a test.
var elapsed = regexp.MustCompile(`\(\d+(\.\d+)?(µs|ms|s)\)`)

// firstRequest matches the first request without a response. On a loaded machine, a server may have read only the first
// of two.
var firstRequest = regexp.MustCompile(`(?:server/discover|initialize)(: no response within)`)

// startFrame matches the number of a frame on the first lines of stdout, for the same reason: up to two requests went
// before it.
var startFrame = regexp.MustCompile(`(?m)^note: frame [1-4]: `)

// provoke runs a command line and returns its exit status and its output, without what differs from run to run.
func provoke(t *testing.T, line string, files []txtar.File, servers map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	work := filepath.Join(dir, "work")
	for _, d := range []string{home, work} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		path := filepath.Join(work, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home + "/.config",
		"XDG_STATE_HOME=" + home + "/.local/state",
		"TMPDIR=" + dir, "LANG=C.UTF-8", "LC_ALL=C.UTF-8"}
	for name, address := range servers {
		cmd.Env = append(cmd.Env, name+"="+address)
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Minute
	status := 0
	if err := cmd.Run(); err != nil {
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		status = cmd.ProcessState.ExitCode()
	}
	text := strings.ReplaceAll(strings.ReplaceAll(out.String(), work, "$WORK"), home, "$HOME")
	for _, name := range slices.SortedFunc(maps.Keys(servers),
		func(a, b string) int { return len(servers[b]) - len(servers[a]) }) {
		text = strings.ReplaceAll(text, servers[name], "$"+name)
	}
	text = firstRequest.ReplaceAllString(elapsed.ReplaceAllString(text, "(TIME)"), "METHOD$1")
	text = startFrame.ReplaceAllString(text, "note: frame START: ")
	return fmt.Sprintf("exit %d\n%s", status, text)
}

// failingServers starts the servers that the command lines name, and returns their addresses by variable.
func failingServers(t *testing.T) map[string]string {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(failHTTP))
	secure := httptest.NewUnstartedServer(http.HandlerFunc(failHTTP))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // failed handshakes are intended
	secure.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	secure.Listener = &drained{secure.Listener}
	secure.StartTLS()
	t.Cleanup(func() { web.CloseClientConnections(); web.Close(); secure.Close() })
	return map[string]string{
		"WEB": web.URL, "PLAIN_HOST": strings.TrimPrefix(web.URL, "http://"), "TLS": secure.URL,
		"TLS_HOST": strings.TrimPrefix(secure.URL, "https://"),
		"BUSY":     listener(t), "CLOSED": "http://" + closedPort(t),
	}
}

// A drained listener reads what a client has sent before it closes a connection. Otherwise the rest of a request without
// TLS resets the connection, and whether the client still sees the response is a matter of time.
type drained struct{ net.Listener }

func (l *drained) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &drainedConn{conn}, err
}

type drainedConn struct{ net.Conn }

func (c *drainedConn) Close() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.CloseWrite()
		_ = tcp.SetReadDeadline(time.Now().Add(time.Second))
		_, _ = io.Copy(io.Discard, tcp)
	}
	return c.Conn.Close()
}

// failHTTP responds with the failure that the path names.
func failHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the client has disconnected
	switch path := strings.TrimPrefix(r.URL.Path, "/"); path {
	case "hang":
		<-r.Context().Done()
	case "cut":
		panic(http.ErrAbortHandler)
	case "html":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintln(w, "<!doctype html><title>Sign in</title>")
	case "login":
		http.Redirect(w, r, "/html", http.StatusFound)
	case "sse": // an HTTP+SSE endpoint that never names its endpoint
		if r.Method != http.MethodGet {
			http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": waiting\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	default:
		var status int
		if _, err := fmt.Sscanf(path, "status/%d", &status); err != nil {
			status = http.StatusNotFound
		}
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		http.Error(w, http.StatusText(status), status)
	}
}

// listener accepts connections on a free port, and returns its address.
func listener(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
		}
	}()
	return l.Addr().String()
}

// closedPort returns an address on which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
