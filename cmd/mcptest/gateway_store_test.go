package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// again starts the same gateway once more, with its config and so with its catalog.
func (g *gateway) again(t *testing.T) *gateway {
	t.Helper()
	next := &gateway{config: g.config}
	next.launch(t, false, g.cmd.Path, g.cmd.Args[1:]...)
	return next
}

// stop ends the gateway as an operator would.
func (g *gateway) stop(t *testing.T) {
	t.Helper()
	_ = g.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-g.exited:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
}

// listed returns the tools that the gateway lists, by name.
func (g *gateway) listed(t *testing.T) map[string]string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list",` +
		`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest(http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization":        {"Bearer " + g.token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/list"}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result *struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal(raw, &answer); err != nil || answer.Result == nil {
		t.Fatalf("HTTP %d %s (%v), want a list; the gateway said:\n%s", resp.StatusCode, raw, err, g.log)
	}
	tools := map[string]string{}
	for _, tool := range answer.Result.Tools {
		var name struct{ Name string }
		if err := json.Unmarshal(tool, &name); err != nil {
			t.Fatal(err)
		}
		tools[name.Name] = string(tool)
	}
	return tools
}

// awaitTool waits until the gateway lists a tool.
func (g *gateway) awaitTool(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); g.listed(t)[name] == ""; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s is not listed\n%s", name, g.log)
		}
	}
}

// addTool registers a tool that runs the demo's echo, in the store of the gateway.
func (g *gateway) addTool(t *testing.T, name string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tool.json")
	tool := `{"name":"` + name + `","description":"Says it once more.","parameters":{"type":"object"},` +
		`"run":{"upstream":{"server":"demo","tool":"echo"}}}`
	if err := os.WriteFile(file, []byte(tool), 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := runCLI("catalog", "add", file, "--config", g.config); code != 0 {
		t.Fatalf("catalog add: exit %d, %s%s", code, stdout, stderr)
	}
}

const stale = `"mcptest.dev/stale":true`

// Without settings the catalog is in a file: after a restart what was registered is there, and so are the last known
// tools of a server that can no longer be reached, marked.
func TestGatewayKeepsItsCatalog(t *testing.T) {
	g := startGateway(t, oneDemo, "--open")
	g.ready(t, "", "demo__echo")
	g.addTool(t, "once_more")
	g.awaitTool(t, "once_more")
	if _, body, err := g.call(t.Context(), "", "once_more", `{"message":"hi"}`); err != nil ||
		!strings.Contains(body, `"text":"hi"`) {
		t.Errorf("the registered tool: %s %v, want it to run echo", body, err)
	}
	g.stop(t)

	g.write(t, `{"mcpServers":{"demo":{"command":"/nonexistent/server"}}}`)
	g = g.again(t)
	tools := g.listed(t)
	if tool := tools["once_more"]; tool == "" || strings.Contains(tool, stale) {
		t.Errorf("after a restart the registered tool is %q, want it as it was", tool)
	}
	if tool := tools["demo__echo"]; !strings.Contains(tool, stale) {
		t.Errorf("after a restart the tool of the lost server is %q, want it marked as stale", tool)
	}
	if _, body, err := g.call(t.Context(), "", "demo__echo", `{"message":"hi"}`); err != nil ||
		!strings.Contains(body, "UpstreamError") {
		t.Errorf("a call of it: %s %v, want an UpstreamError", body, err)
	}
	g.stop(t)

	g.write(t, `{"mcpServers":{}}`)
	g = g.again(t)
	if tools := g.listed(t); len(tools) != 1 || tools["once_more"] == "" {
		t.Errorf("without the server %d tools are listed, want the registered one alone: %v\n%s", len(tools), tools,
			g.log)
	}
}

// Two gateways with one config share its catalog: what is registered for one is there for the other.
func TestTwoGatewaysShareACatalog(t *testing.T) {
	one := startGateway(t, oneDemo, "--open")
	two := one.again(t)
	for _, g := range []*gateway{one, two} {
		g.ready(t, "", "demo__echo")
	}
	one.addTool(t, "first")
	two.addTool(t, "second")
	for _, g := range []*gateway{one, two} {
		for _, name := range []string{"first", "second"} {
			g.awaitTool(t, name)
		}
		if tool := g.listed(t)["demo__echo"]; strings.Contains(tool, stale) {
			t.Errorf("the demo's tool is marked as stale: %s", tool)
		}
	}
	one.stop(t)
	two.ready(t, "", "demo__echo")
	two.awaitTool(t, "first")
}

// In memory nothing is kept, and nothing is written.
func TestGatewayInMemory(t *testing.T) {
	g := startGateway(t, oneDemo, "--open", "--store", "memory")
	g.ready(t, "", "demo__echo")
	g.stop(t)
	if stdout, _, code := runCLI("catalog", "list", "--config", g.config); code != 0 ||
		!strings.Contains(stdout, "0 tools") {
		t.Errorf("the catalog of the config: exit %d, %s; want it empty", code, stdout)
	}
	for _, test := range []struct{ args, want string }{
		{"gateway --config CONFIG --transparent --store x.db", "a transparent gateway has no catalog"},
		{"gateway --config CONFIG --store CONFIG/x.db", "not a directory"},
		{"catalog list --store memory", "only for a gateway"},
		{"catalog list --store x.db --config CONFIG", "are mutually exclusive"},
	} {
		_, stderr, code := runCLI(strings.Fields(strings.ReplaceAll(test.args, "CONFIG", g.config))...)
		if code == 0 || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit %d, %s; want %q", test.args, code, stderr, test.want)
		}
	}
}
