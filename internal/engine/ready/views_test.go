package ready

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// goodView is a view that both directories accept.
const goodView = `<!doctype html><style>:root{color-scheme: light dark} body{height: 400px} ul{overflow: hidden}</style>
<a href="https://host.example">more</a><script>app.openLink({url: "https://host.example"})</script>`

// TestViews has views that a directory rejects.
func TestViews(t *testing.T) {
	tool := json.RawMessage(`{"name": "a", "title": "A", "_meta": {"ui": {"resourceUri": "ui://a"}},
		"annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}`)
	const settings = `{"csp": {}, "domain": "https://host.example"}`
	for _, c := range []struct {
		name, html, settings string
		rules                []string
	}{
		{"good", goodView, settings, nil},
		{"no csp", goodView, `{"domain": "https://host.example"}`, []string{"CHATGPT-004"}},
		{"no domain", goodView, `{"csp": {}}`, []string{"CHATGPT-005"}},
		{"link", `<!doctype html><a href="https://host.example">more</a> theme`, settings, []string{"CLAUDE-005"}},
		{"window", `<!doctype html><script>window.open(place)</script> theme`, settings, []string{"CLAUDE-005"}},
		{"one theme", `<!doctype html><p>hello`, settings, []string{"CLAUDE-006"}},
		{"too high", `<!doctype html><style>html, body { margin: 0; min-height: 720px }</style> theme`, settings, []string{"CLAUDE-007"}},
		{"scrolls", `<!doctype html><style>.list{max-height:300px;overflow-y:auto}</style> theme`, settings, []string{"CLAUDE-007"}},
		{"high picture", `<!doctype html><style>.map{height:900px}</style> theme`, settings, nil},
		{"not read", ``, settings, []string{"CLAUDE-006"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			view := View{URI: "ui://a", Entry: json.RawMessage(`{"uri": "ui://a", "_meta": {"ui": ` + c.settings + `}}`),
				Content: mcp.Object("uri", "ui://a", "text", c.html)}
			var rules []string
			for _, f := range runOn(t, Options{Tools: []json.RawMessage{tool}, Views: []View{view}}).Report.Findings() {
				rules = append(rules, f.Rule)
			}
			if !slices.Equal(rules, c.rules) {
				t.Errorf("found %v, want %v", rules, c.rules)
			}
		})
	}
}
