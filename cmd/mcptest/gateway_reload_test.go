package main

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// The config is read again when it changes; a bad one changes nothing and is told (E8).
func TestE8GatewayReloads(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	good, err := os.ReadFile(g.config)
	if err != nil {
		t.Fatal(err)
	}
	g.write(t, `{"mcpServers": {"demo": `)
	g.await(t, "invalid config; keeping the previous one")
	g.ready(t, g.token, "demo__echo")
	g.write(t, strings.Replace(string(good), `"demo":{`, `"second":{`, 1))
	g.ready(t, g.token, "second__echo")
	if _, body, err := g.call(t.Context(), g.token, "demo__echo", `{"message":"hi"}`); err != nil ||
		!strings.Contains(body, "Unknown tool") {
		t.Errorf("the server that is gone: %s %v, want an unknown tool", body, err)
	}
}

// Settings of tools are taken over too; of those that are not, the log tells.
func TestGatewayReloadsSettings(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	const tool = `{"name":"tea","run":{"http":{"method":"GET","url":"https://kitchen.example.com/tea"}}}`
	if status, body := g.postTo(t, "/catalog/add", tool); status == http.StatusOK ||
		!strings.Contains(body, "http_hosts") {
		t.Errorf("a host that is not allowed: %d %s, want it refused with where to allow it", status, body)
	}
	config, err := os.ReadFile(g.config)
	if err != nil {
		t.Fatal(err)
	}
	g.write(t, strings.Replace(string(config), "{",
		`{"gateway":{"http_hosts":["kitchen.example.com"],"name_prefix":5,"callers":[{"name":"ada","token_sha256":"`+
			strings.Repeat("a", 64)+`"}]},`, 1))
	g.await(t, "require a restart of the gateway")
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
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(g.log.String(),
		text); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the log has no %q:\n%s", text, g.log)
		}
	}
}
