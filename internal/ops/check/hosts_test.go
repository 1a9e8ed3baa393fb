package check

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// TestArrivals checks the line of each host for a server with a tool that single hosts drop and one that costs some
// hosts all tools.
func TestArrivals(t *testing.T) {
	clean := json.RawMessage(`{"name":"get","description":"D","inputSchema":{"type":"object"}}`)
	merge := json.RawMessage(`{"name":"merge","description":"D","inputSchema":{"type":"object",` +
		`"oneOf":[{"required":["a"]}]}}`)
	null := json.RawMessage(`{"name":"report","description":"D","inputSchema":{"type":"object"},` +
		`"annotations":{"readOnlyHint":null}}`)
	for _, test := range []struct {
		tools []json.RawMessage
		ends  []int
		want  map[string]string
	}{
		{[]json.RawMessage{clean, merge}, nil, map[string]string{
			"codex": "2 of 2", "claude-code": "1 of 2; dropped: merge (oneOf at the root of inputSchema)",
			"cline": "2 of 2"}},
		{[]json.RawMessage{clean, merge, null, clean}, []int{1, 2, 4}, map[string]string{ // of several pages
			"codex": "4 of 4", "claude-code": "0 of 4: report: in annotations, readOnlyHint is null",
			"gemini-cli": "1 of 4; not read: 3 tools after page 1 of tools/list",
			"qwen-code":  "2 of 4; not read: 2 tools after page 2 of tools/list"}},
		{[]json.RawMessage{clean, merge, null}, []int{3}, map[string]string{
			"codex": "3 of 3", "claude-code": "0 of 3: report: in annotations, readOnlyHint is null",
			"copilot-cli": "3 of 3",
			"gemini-cli":  "0 of 3: report: in annotations, readOnlyHint is null",
			"continue":    "0 of 3: report: in annotations, readOnlyHint is null"}},
	} {
		var shown strings.Builder
		all := arrivals("t", lint.NewCatalog("t", test.tools), test.ends)
		writeHosts(workbench.NewText(&shown), all)
		if len(all) != 9 {
			t.Errorf("%d hosts, want 9", len(all))
		}
		for _, a := range all {
			want, ok := test.want[a.Host]
			if line := a.Name + " " + a.Version; ok &&
				!strings.Contains(strings.Join(strings.Fields(shown.String()), " "), line+" "+want) {
				t.Errorf("%s: want %q in\n%s", a.Host, want, shown.String())
			}
		}
	}
	for _, before := range []bool{false, true} {
		for _, a := range hosts.WithOutput(arrivals("t", lint.NewCatalog("t", []json.RawMessage{clean}), nil), before) {
			if strict := a.Host == "gemini-cli" && !before || a.Host == "cline"; strict != (a.Arrived == 0) {
				t.Errorf("%s: %d tools arrive from a server that writes other lines to stdout, only before its first "+
					"message: %v", a.Host, a.Arrived, before)
			}
		}
	}
	if all := arrivals("t", lint.NewCatalog("t", nil), nil); len(all) != 0 {
		t.Errorf("a server without tools has %d hosts", len(all))
	}
}

// Most hosts cannot connect to a server of the stateless era alone. What server/discover lists does not tell: some servers
// accept the handshake without listing its revisions.
func TestStatelessOnly(t *testing.T) {
	t.Parallel()
	discover := `on server/discover
	result {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}
on tools/list
	result {"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"a","description":"A word.","inputSchema":{"type":"object"}}]}
`
	for _, c := range []struct {
		name, initialize string
		arrive           map[string]int
	}{
		{"rejects the handshake", "on initialize\n\terror -32022 \"Unsupported protocol version\"\n",
			map[string]int{"codex": 0, "claude-code": 1, "copilot-cli": 1, "cline": 0}},
		{"rejects a second client", "on initialize\n\terror -32600 \"Server already initialized\"\n",
			map[string]int{"codex": 1, "cline": 1}},
		{"accepts it", initialized(`{"tools":{}}`),
			map[string]int{"codex": 1, "claude-code": 1, "copilot-cli": 1, "cline": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, text := checked(t, &Input{Connection: scriptedServer(discover + c.initialize +
				"on *\n\terror -32601 unknown\n"), Budget: 10 * time.Second})
			for _, a := range r.Hosts {
				if want, ok := c.arrive[a.Host]; ok && a.Arrived != want {
					t.Errorf("%s: %d tools arrive, want %d\n%s", a.Host, a.Arrived, want, text)
				}
			}
			if refused := strings.Contains(text, "serves only 2026-07-28"); refused != (c.arrive["codex"] == 0) {
				t.Errorf("the reason is shown: %v\n%s", refused, text)
			}
		})
	}
}
