package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app003 = &Check{
	Rule: finding.Rule{
		ID:       "APP-003",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view must be an HTML5 document

The content is text, or a blob as base64, and starts with <!doctype html>. Without a doctype, browsers use the layout
rules of the 1990s, and sizes that the view reports are wrong.

Return a whole document in exactly one of text and blob, with <!doctype html> at its start.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachRead(ctx, func(v appView, content json.RawMessage) {
			at := Evidence{Subject: v.URI, Exchange: v.Read, Pointer: "/contents/0"}
			switch html, problem := apps.Document(content); {
			case problem != "":
				p.Report(at, "the view %s", problem)
			case strings.TrimSpace(html) == "":
				p.Report(at, "the view is empty, expected an HTML document")
			case !apps.HasDoctype(html):
				p.Report(at, "the view starts with %s, expected <!doctype html>",
					quoted(strings.TrimSpace(html[:min(len(html), 40)])))
			}
		})
	},
}
