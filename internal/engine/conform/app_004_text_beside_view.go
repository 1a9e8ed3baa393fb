package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app004 = &Check{
	Rule: finding.Rule{
		ID:       "APP-004",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `tool with a view must also return content for the model

The view is for the user; the model reads only content, and hosts without views show only content. If it is empty, the
model does not know what happened.

Return a text block that says in words what the view shows.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		checked := 0
		for _, c := range done {
			if uri, _ := apps.ViewOf(c.Definition); uri == "" || c.Result() == nil || c.Failed() {
				continue
			}
			checked++
			if !hasContent(c.Result()) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/content"},
					"content is %s, expected a text for the model beside the view", show(At(c.Result(), "/content")))
			}
		}
		if checked == 0 {
			return p.Skip("no tool with a view was called successfully")
		}
		return nil
	},
}

// hasContent reports whether a result has content other than empty text.
func hasContent(result json.RawMessage) bool {
	for _, b := range blocksOf(result) {
		text, isText := schema.Text(At(b.raw, "/text"))
		if !isText || strings.TrimSpace(text) != "" {
			return true
		}
	}
	return false
}
