package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A gateway is mcptest gateway as a process.
type gateway struct {
	cmd    *exec.Cmd
	url    string
	token  string
	config string
	log    *syncBuffer
	exited chan error    // how it ended
	gone   chan struct{} // closed when it has
}

// startGateway starts mcptest gateway with the config and returns when it listens.
func startGateway(t *testing.T, config string, args ...string) *gateway {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("left out: processes are stopped by signals here")
	}
	dir := t.TempDir()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{config: filepath.Join(dir, "mcp.json")}
	g.write(t, strings.ReplaceAll(config, "MCPTEST", binary))
	tokened := !strings.Contains(config, "callers") && len(args) == 0
	g.launch(t, tokened, binary, append([]string{"gateway", "--config", g.config, "--listen", "127.0.0.1:0"},
		args...)...)
	return g
}

// launch runs the command, whose first line says where it listens, and its second one, where it has made a token,
// which.
func (g *gateway) launch(t *testing.T, tokened bool, binary string, args ...string) {
	t.Helper()
	g.log, g.exited, g.gone = &syncBuffer{}, make(chan error, 1), make(chan struct{})
	g.cmd = exec.Command(binary, args...)
	g.cmd.Stderr, g.cmd.WaitDelay = g.log, 20*time.Second
	out, err := g.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.cmd.Process.Kill(); <-g.gone })
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	second := ""
	if err == nil && tokened {
		second, err = lines.ReadString('\n')
	}
	go func() { g.exited <- g.cmd.Wait(); close(g.gone) }()
	_, url, listens := strings.Cut(first, "http://")
	if err != nil || !listens {
		t.Fatalf("it does not listen: %q, %v\n%s", first, err, g.log)
	}
	g.url = "http://" + strings.TrimSpace(url)
	_, token, _ := strings.Cut(second, "Bearer ")
	g.token = strings.TrimSpace(token)
}

func (g *gateway) write(t *testing.T, config string) {
	t.Helper()
	if err := os.WriteFile(g.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
}

// call calls a tool and returns the HTTP status and the body.
func (g *gateway) call(ctx context.Context, token, tool, arguments string) (int, string, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization":        {"Bearer " + token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {tool}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(answer), err
}

// ready waits until the tool answers.
func (g *gateway) ready(t *testing.T, token, tool string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		status, body, err := g.call(t.Context(), token, tool, `{"message":"hi"}`)
		if err == nil && strings.Contains(body, `"text":"hi"`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %d %s %v\n%s", tool, status, body, err, g.log)
		}
	}
}

func (g *gateway) get(t *testing.T, path, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, strings.TrimSuffix(g.url, "/mcp")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

const oneDemo = `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}}}`

// until waits for something to come true.
func (g *gateway) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: it did not come true", what)
		}
	}
}

// A syncBuffer can be written and read at once.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// String is what was written so far.
func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
