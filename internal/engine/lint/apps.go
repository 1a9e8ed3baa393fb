package lint

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// appsSpec is where the requirements for MCP Apps are defined.
const appsSpec = "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx"

// reportApps reports faults of what the tool declares for MCP Apps.
func (p *Pass) reportApps(problems []apps.Problem) {
	for _, one := range problems {
		if one.Warning {
			p.Warn(one.Pointer, "%s", one.Message)
			continue
		}
		p.Report(one.Pointer, "%s", one.Message)
	}
}

// reportSettings reports faults of what a view declares in _meta.ui.
func (p *Pass) reportSettings(find func(json.RawMessage) []apps.Problem) {
	settings, has := schema.Get(p.Entry.Raw, "/_meta/ui")
	if !has || !p.Entry.IsView() {
		return
	}
	problems := find(settings)
	for i := range problems {
		problems[i].Pointer = "/_meta/ui" + problems[i].Pointer
	}
	p.reportApps(problems)
}

// viewDocument returns the HTML of an entry that is the content of a view.
func (p *Pass) viewDocument() (html string, ok bool) {
	if !p.Entry.IsView() || p.Entry.Kind != ContentEntry {
		return "", false
	}
	html, problem := apps.Document(p.Entry.Raw)
	return html, problem == ""
}

// displayText formats a value for a message.
func displayText(raw json.RawMessage) string {
	if raw == nil {
		return "absent"
	}
	return clip.Text(string(raw), 80)
}
