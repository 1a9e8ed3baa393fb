package matrix

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	nethttp "net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const startTimeout = 2 * time.Minute // on a busy machine; a process that exits is reported at once

// start starts a process in its own group. The group is ended with the test, and its stderr is logged if the test
// fails.
func start(t *testing.T, cmd *exec.Cmd) (exited <-chan struct{}) {
	t.Helper()
	stderr := &lockedBuffer{}
	cmd.Stderr = stderr
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = cmd.Wait() }()
	t.Cleanup(func() {
		endGroup(cmd, done)
		if t.Failed() {
			t.Logf("stderr of %s:\n%s", filepath.Base(cmd.Args[len(cmd.Args)-1]), stderr.tail())
		}
	})
	return done
}

// listen starts a server that listens on the port that it gets, and returns the URL of its endpoint when it does.
func listen(t *testing.T, command func(port int) []string) string {
	t.Helper()
	return listening(t, command)()
}

// listening is listen in two steps: the returned function waits, and returns the URL. If another process takes the port
// between the choice and the start, the server exits, and is started again on another one.
func listening(t *testing.T, command func(port int) []string) (await func() string) {
	t.Helper()
	begin := func() (string, <-chan struct{}) {
		address := freeAddress(t)
		port := netip.MustParseAddrPort(address).Port()
		argv := command(int(port))
		return address, start(t, exec.Command(argv[0], argv[1:]...))
	}
	address, exited := begin()
	return func() string {
		t.Helper()
		for range 5 {
			if accepts(t, address, exited) {
				return "http://" + address + "/mcp"
			}
			address, exited = begin()
		}
		t.Fatal("the server exited on each of five ports")
		return ""
	}
}

// accepts waits until the server accepts connections; it is false if the server has exited.
func accepts(t *testing.T, address string, exited <-chan struct{}) bool {
	t.Helper()
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return true
		}
		select {
		case <-exited:
			return false
		default:
		}
	}
	t.Fatalf("nothing listens on %s after %v", address, startTimeout)
	return false
}

// writeConfig writes a config file for the gateway.
func writeConfig(t *testing.T, servers []server) string {
	t.Helper()
	entries := map[string]any{}
	for _, s := range servers {
		if s.transport == http {
			entries[s.String()] = map[string]any{"url": s.url}
		} else {
			entries[s.String()] = map[string]any{"command": s.server[0], "args": s.server[1:]}
		}
	}
	config, err := json.Marshal(map[string]any{"mcpServers": entries})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// serveGateway starts a gateway on HTTP and returns the URL of its endpoint.
func serveGateway(t *testing.T, config, store string, more ...string) string {
	t.Helper()
	cmd := exec.Command(built.mcptest, append([]string{"gateway", "--config", config, "--listen", "127.0.0.1:0", "--open",
		"--store", store}, more...)...)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = in
	start(t, cmd)
	in.Close()
	t.Cleanup(func() { out.Close() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the gateway exited before it printed its URL: %v", err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), "http://")
	return "http://" + url
}

// awaitTools waits until the gateway has the tools of every server, and returns the revision of each.
func awaitTools(t *testing.T, url string, servers []server) map[string]string {
	t.Helper()
	want := len(strings.Fields(expected["list"]))
	revisions := map[string]string{}
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		for _, s := range status(t, url) {
			if s.Tools == want {
				revisions[s.Name] = s.Revision
			}
		}
		if len(revisions) == len(servers) {
			return revisions
		}
	}
	t.Fatalf("after %v the gateway has the tools of %v only", startTimeout, revisions)
	return nil
}

type serverStatus struct {
	Name     string `json:"name"`
	Revision string `json:"revision"`
	Tools    int    `json:"tools"`
}

func status(t *testing.T, url string) []serverStatus {
	t.Helper()
	response, err := nethttp.Get(strings.TrimSuffix(url, "/mcp") + "/status")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var s struct {
		Servers []serverStatus `json:"servers"`
	}
	if err := json.NewDecoder(response.Body).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s.Servers
}

// lockedBuffer is a buffer that a process writes to while a test reads it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// tail is the last 4,000 bytes.
func (b *lockedBuffer) tail() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := b.buf.Bytes()
	return string(text[max(0, len(text)-4000):])
}
