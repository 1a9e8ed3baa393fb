package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
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
	g.launch(t, tokened, binary, append([]string{"gateway", "--config", g.config, "--listen", "127.0.0.1:0"}, args...)...)
	return g
}

// launch runs the command, whose first line says where it listens, and its second one, where it has made a token, which.
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
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + token},
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

// Stopped under load, the gateway answers every call that it has taken, closes subscription streams with their result
// and leaves nobody behind (E8). A client cannot tell a connection that was closed before its call was read from one that
// lost it; the audit log can, since it has a line for each call that was taken.
func TestE8GatewayDrains(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	g := startGateway(t, oneDemo, "--open", "--audit", audit)
	g.ready(t, g.token, "demo__echo")
	var good, refused, lost atomic.Int64
	var stopping atomic.Bool
	good.Add(1) // the call that found it ready
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for ctx.Err() == nil {
				status, body, err := g.call(t.Context(), g.token, "demo__echo", `{"message":"hi"}`)
				switch {
				case err == nil && strings.Contains(body, `"text":"hi"`):
					good.Add(1)
				case err == nil && status == http.StatusServiceUnavailable:
					refused.Add(1)
				case err != nil && strings.Contains(err.Error(), "refused"):
					return // it no longer listens
				case err != nil && stopping.Load():
					refused.Add(1)
				default:
					lost.Add(1)
					t.Logf("lost: %d %s %v", status, body, err)
				}
				time.Sleep(40 * time.Millisecond)
			}
		})
	}
	listening, opened := make(chan string, 1), make(chan struct{})
	go func() { listening <- g.listen(t, opened) }()
	<-opened
	for deadline := time.Now().Add(time.Minute); good.Load() < 100 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	start := time.Now()
	stopping.Store(true)
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-g.exited:
		if err != nil {
			t.Errorf("it ended with %v, want success", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	took := time.Since(start)
	stop()
	wg.Wait()
	taken, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	if n := int64(strings.Count(string(taken), `"SUCCESS"`)); n != good.Load() {
		t.Errorf("%d calls were taken and carried out, %d were answered", n, good.Load())
	}
	if lost.Load() > 0 || good.Load() < 100 {
		t.Errorf("%d calls answered, %d refused, %d lost; want none lost", good.Load(), refused.Load(), lost.Load())
	}
	if stream := <-listening; !strings.Contains(stream, "subscriptions/acknowledged") || !strings.Contains(stream, `"result":{`) {
		t.Errorf("the subscription stream was %q, want it to end with a result", stream)
	}
	t.Logf("%d answered, %d refused, ended in %v", good.Load(), refused.Load(), took)
}

// listen opens a subscription stream and returns all that came on it; opened is closed when the first of it is there.
func (g *gateway) listen(t *testing.T, opened chan<- struct{}) string {
	once := sync.OnceFunc(func() { close(opened) })
	defer once()
	body := `{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest(http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + g.token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"subscriptions/listen"}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	first := make([]byte, 1)
	_, _ = io.ReadFull(resp.Body, first)
	once()
	rest, _ := io.ReadAll(resp.Body)
	return string(first) + string(rest)
}

// A second signal ends it at once, whatever is under way (E8).
func TestE8GatewaySecondSignal(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	answered, began := make(chan string, 1), time.Now()
	go func() {
		_, body, err := g.call(t.Context(), g.token, "demo__wait", `{"milliseconds":5000}`)
		answered <- fmt.Sprint(body, err)
	}()
	g.until(t, "the call is under way", func() bool {
		_, body := g.get(t, "/status", g.token)
		return strings.Contains(body, `"in_flight":1`)
	})
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	g.until(t, "it has heard the first signal", func() bool { // a second one before that would be none
		status, _ := g.get(t, "/readyz", "")
		return status == http.StatusServiceUnavailable
	})
	late := time.Since(began) > 3*time.Second // the machine is too slow to tell
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-g.exited:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	if got := <-answered; strings.Contains(got, `"result"`) && !late {
		t.Errorf("it waited for the call: %s", got)
	}
}

// until waits for something to come true.
func (g *gateway) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: it did not come true", what)
		}
	}
}

// The config is read again when it changes; a bad one changes nothing and is told (E8).
func TestE8GatewayReloads(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	good, err := os.ReadFile(g.config)
	if err != nil {
		t.Fatal(err)
	}
	g.write(t, `{"mcpServers": {"demo": `)
	g.await(t, "the config is bad; the old one stays")
	g.ready(t, g.token, "demo__echo")
	g.write(t, strings.Replace(string(good), `"demo":{`, `"second":{`, 1))
	g.ready(t, g.token, "second__echo")
	if _, body, err := g.call(t.Context(), g.token, "demo__echo", `{"message":"hi"}`); err != nil || !strings.Contains(body, "Unknown tool") {
		t.Errorf("the server that is gone: %s %v, want an unknown tool", body, err)
	}
}

// Settings of tools are taken over too; of those that are not, the log tells.
func TestGatewayReloadsSettings(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	const tool = `{"name":"tea","run":{"http":{"method":"GET","url":"https://kitchen.example.com/tea"}}}`
	if status, body := g.postTo(t, "/catalog/add", tool); status == http.StatusOK || !strings.Contains(body, "http_hosts") {
		t.Errorf("a host that is not allowed: %d %s, want it refused with where to allow it", status, body)
	}
	config, err := os.ReadFile(g.config)
	if err != nil {
		t.Fatal(err)
	}
	g.write(t, strings.Replace(string(config), "{", `{"gateway":{"http_hosts":["kitchen.example.com"],"name_prefix":5,"callers":[{"name":"ada","token_sha256":"`+strings.Repeat("a", 64)+`"}]},`, 1))
	g.await(t, "need a restart of the gateway")
	g.await(t, `"callers, name_prefix"`)
	if status, body := g.postTo(t, "/catalog/add", tool); status != http.StatusOK {
		t.Errorf("a host that is allowed now: %d %s", status, body)
	}
}

// postTo posts to a path with the token of the run.
func (g *gateway) postTo(t *testing.T, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(g.url, "/mcp")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + g.token}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(answer)
}

func (g *gateway) await(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(g.log.String(), text); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the log has no %q:\n%s", text, g.log)
		}
	}
}

// Who has no token gets nothing; who has one gets what it may; the log and the audit hold no argument and no token.
func TestGatewayAccess(t *testing.T) {
	sum := func(token string) string { s := sha256.Sum256([]byte(token)); return hex.EncodeToString(s[:]) }
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},"gateway":{"callers":[{"name":"ada","token_sha256":"`+sum("token-of-ada")+
		`","allow":["demo/echo"]}]}}`, "--audit", audit)
	g.ready(t, "token-of-ada", "demo__echo")
	for _, test := range []struct {
		token, tool, want string
		status            int
	}{
		{"", "demo__echo", "Unauthorized", 401}, {"wrong", "demo__echo", "Unauthorized", 401},
		{"token-of-ada", "demo__write_note", "Unknown tool", 400}, {"token-of-ada", "demo__echo", "canary-argument", 200},
	} {
		status, body, err := g.call(t.Context(), test.token, test.tool, `{"message":"canary-argument"}`)
		if err != nil || status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%q %s: %d %s %v, want %d %s", test.token, test.tool, status, body, err, test.status, test.want)
		}
	}
	for path, want := range map[string][2]int{"/healthz": {200, 200}, "/readyz": {200, 200}, "/metrics": {401, 200}, "/other": {404, 404}} {
		without, _ := g.get(t, path, "")
		with, body := g.get(t, path, "token-of-ada")
		if without != want[0] || with != want[1] {
			t.Errorf("%s: %d without a token, %d with one (%s); want %v", path, without, with, body, want)
		}
	}
	if _, body := g.get(t, "/metrics", "token-of-ada"); !strings.Contains(body, `mcptest_gateway_server_up{server="demo"} 1`) ||
		!strings.Contains(body, `mcptest_gateway_call_duration_seconds_count{server="demo",outcome="SUCCESS"}`) {
		t.Errorf("metrics: %s", body)
	}
	written, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	var entry struct{ Caller, Tool, Outcome string }
	lines := bytes.Split(bytes.TrimSpace(written), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &entry); err != nil || entry.Caller != "ada" || entry.Tool != "echo" || entry.Outcome != "SUCCESS" {
		t.Errorf("audit: %s (%v)", lines[len(lines)-1], err)
	}
	for _, secret := range []string{"canary-argument", "token-of-ada"} {
		if strings.Contains(g.log.String()+string(written), secret) {
			t.Errorf("%q stands in the log or the audit", secret)
		}
	}
}

// A page of another site, or a name that was made to resolve to us, gets nothing.
func TestGatewayGuard(t *testing.T) {
	g := startGateway(t, oneDemo, "--open")
	for _, header := range []http.Header{{"Origin": {"https://evil.example"}}, {"Origin": {"null"}}, {"Host": {"evil.example"}}} {
		r, err := http.NewRequest(http.MethodPost, g.url, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header.Clone()
		r.Header.Set("Content-Type", "application/json")
		r.Host = header.Get("Host")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%v: %d, want 403", header, resp.StatusCode)
		}
	}
	for _, address := range []string{"0.0.0.0:0", "[::]:0", "192.168.1.5:80", "0:80"} {
		_, stderr, code := runCLI("gateway", "--config", g.config, "--listen", address)
		if code != 2 || !strings.Contains(stderr, "--listen") {
			t.Errorf("--listen %s: exit %d, %s; want it refused", address, code, stderr)
		}
		if strings.Contains(stderr, "upstream") {
			t.Errorf("--listen %s: a server was started for it: %s", address, stderr)
		}
	}
	for _, flag := range []string{"--open", "--token-file=x"} {
		if _, stderr, code := runCLI("gateway", "--config", g.config, flag); code != 2 || !strings.Contains(stderr, "--listen is not given") {
			t.Errorf("%s without --listen: exit %d, %s; want it refused", flag, code, stderr)
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
