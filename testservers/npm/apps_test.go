package npm

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// seenByHost is what a host of MCP Apps sees through a gateway.
type seenByHost struct {
	Revision string
	Tools    map[string][]string // with their visibility
	Views    map[string]struct {
		Asked, URI, MimeType string
		HTML                 bool
	}
	Calls map[string]string // by the names that the servers use
}

// Two official app servers behind a gateway, and a host of the TypeScript SDK in both eras: it gets the tools with
// their views, reads the views, and calls the tools of views by the names that a view uses. A client that shows no views
// gets neither.
func TestAppsThroughTheGateway(t *testing.T) {
	t.Parallel()
	in := Require(t)
	servers := map[string]any{}
	for _, name := range []string{"debug", "system-monitor"} {
		servers[name] = map[string]any{"command": in.Node, "args": []string{in.Script("server-" + name), "--stdio"},
			"env": map[string]string{"MCPTEST_MARK": strings.TrimPrefix(mark, "MCPTEST_MARK=")}}
	}
	config, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		t.Fatal(err)
	}
	url := serveGateway(t, mcptestBinary(t), "gateway", "--config", file, "--listen", "127.0.0.1:0", "--open")
	for mode, revision := range map[string]string{"legacy": "2025-11-25", "auto": "2026-07-28"} {
		host := visit(t, in, url, mode, "views", "5")
		if host.Revision != revision {
			t.Errorf("the host uses %s, want %s", host.Revision, revision)
		}
		want := []string{"debug__debug-log", "debug__debug-refresh", "debug__debug-tool", "system-monitor__get-system-info",
			"system-monitor__poll-system-stats"}
		if got := slices.Sorted(maps.Keys(host.Tools)); !slices.Equal(got, want) {
			t.Errorf("%s: the host sees %v, want %v", revision, got, want)
		}
		if got := host.Tools["system-monitor__poll-system-stats"]; !slices.Equal(got, []string{"app"}) {
			t.Errorf("%s: visibility %v, want that of the server", revision, got)
		}
		for tool, uri := range map[string]string{"debug__debug-tool": "ui://debug-tool/mcp-app.html#gateway=debug",
			"system-monitor__get-system-info": "ui://system-monitor/mcp-app.html#gateway=system-monitor"} {
			view := host.Views[tool]
			if view.Asked != uri || view.URI != uri || view.MimeType != "text/html;profile=mcp-app" || !view.HTML {
				t.Errorf("%s: view of %s: %+v", revision, tool, view)
			}
		}
		if host.Calls["poll-system-stats"] != "ok" || host.Calls["debug-refresh"] != "ok" {
			t.Errorf("%s: calls of views: %v", revision, host.Calls)
		}
		plain := visit(t, in, url, mode, "no views", "2")
		want = []string{"debug__debug-tool", "system-monitor__get-system-info"}
		if got := slices.Sorted(maps.Keys(plain.Tools)); !slices.Equal(got, want) {
			t.Errorf("%s: a client that shows no views sees %v, want %v", revision, got, want)
		}
		if got := plain.Calls["debug-refresh"]; !strings.Contains(got, "Unknown tool") {
			t.Errorf("%s: a client that shows no views calls a tool of views: %s", revision, got)
		}
	}
}

// visit runs the host, which waits until it sees a number of tools.
func visit(t *testing.T, in Install, url, mode, shows, least string) seenByHost {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), in.Node, "apps_client.mjs", url, mode, shows, least)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var seen seenByHost
	if err := json.Unmarshal(out, &seen); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return seen
}
