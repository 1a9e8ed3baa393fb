package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var app102 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-102",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view of another type than text/html;profile=mcp-app

A host compares the type as text. With text/html, or with the older text/html+skybridge of ChatGPT, it does not show the
view.

Set mimeType to text/html;profile=mcp-app (RESOURCE_MIME_TYPE of the SDK), in resources/list and in resources/read.`,
	},
	Entry: func(p *Pass) {
		raw, declared := schema.Get(p.Entry.Raw, "/mimeType")
		if !p.Entry.IsView() || !declared && p.Entry.Kind == ResourceEntry {
			return // the list need not have it
		}
		if kind, _ := schema.Text(raw); kind != mcp.ViewType {
			p.Report("/mimeType", "mimeType of the view is %s, expected %q", displayText(raw), mcp.ViewType)
		}
	},
}
