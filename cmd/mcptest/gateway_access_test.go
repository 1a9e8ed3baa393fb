package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who has no token gets nothing; who has one gets what it may; the log and the audit hold no argument and no token.
func TestGatewayAccess(t *testing.T) {
	sum := func(token string) string { s := sha256.Sum256([]byte(token)); return hex.EncodeToString(s[:]) }
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},`+
		`"gateway":{"callers":[{"name":"ada","token_sha256":"`+sum("token-of-ada")+
		`","allow":["demo/echo"]}]}}`, "--audit", audit)
	g.ready(t, "token-of-ada", "demo__echo")
	for _, test := range []struct {
		token, tool, want string
		status            int
	}{
		{"", "demo__echo", "Unauthorized", 401}, {"wrong", "demo__echo", "Unauthorized", 401},
		{"token-of-ada", "demo__write_note", "Unknown tool", 400},
		{"token-of-ada", "demo__echo", "canary-argument", 200},
	} {
		status, body, err := g.call(t.Context(), test.token, test.tool, `{"message":"canary-argument"}`)
		if err != nil || status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%q %s: %d %s %v, want %d %s", test.token, test.tool, status, body, err, test.status, test.want)
		}
	}
	for path, want := range map[string][2]int{"/healthz": {200, 200}, "/readyz": {200, 200}, "/metrics": {401, 200},
		"/other": {404, 404}} {
		without, _ := g.get(t, path, "")
		with, body := g.get(t, path, "token-of-ada")
		if without != want[0] || with != want[1] {
			t.Errorf("%s: %d without a token, %d with one (%s); want %v", path, without, with, body, want)
		}
	}
	if _, body := g.get(t, "/metrics", "token-of-ada"); !strings.Contains(body,
		`mcptest_gateway_server_up{server="demo"} 1`) ||
		!strings.Contains(body, `mcptest_gateway_call_duration_seconds_count{server="demo",outcome="SUCCESS"}`) {
		t.Errorf("metrics: %s", body)
	}
	written, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	var entry struct{ Caller, Tool, Outcome string }
	lines := bytes.Split(bytes.TrimSpace(written), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &entry); err != nil || entry.Caller != "ada" ||
		entry.Tool != "echo" || entry.Outcome != "SUCCESS" {
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
	for _, header := range []http.Header{{"Origin": {"https://evil.example"}}, {"Origin": {"null"}},
		{"Host": {"evil.example"}}} {
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
		if _, stderr, code := runCLI("gateway", "--config", g.config, flag); code != 2 ||
			!strings.Contains(stderr, "--open and --token-file require --listen") {
			t.Errorf("%s without --listen: exit %d, %s; want it refused", flag, code, stderr)
		}
	}
}
