package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app103 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-103",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view is not an HTML5 document

The content is text, or a blob as base64, and starts with <!doctype html>. Without a doctype, browsers use the layout
rules of the 1990s, and sizes that the view reports are wrong.

Return a whole document in exactly one of text and blob, with <!doctype html> at its start.`,
	},
	Entry: func(p *Pass) {
		if !p.Entry.IsView() || p.Entry.Kind != ContentEntry {
			return
		}
		switch html, problem := apps.Document(p.Entry.Raw); {
		case problem != "":
			p.Report("", "the view %s", problem)
		case strings.TrimSpace(html) == "":
			p.Report("/text", "the view is empty, expected an HTML document")
		case !apps.HasDoctype(html):
			p.Report("/text", "the view starts with %s, expected <!doctype html>", quoted(strings.TrimSpace(html[:min(len(html), 40)])))
		}
	},
}
