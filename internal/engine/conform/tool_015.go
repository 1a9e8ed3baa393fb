package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool015 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-015",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#structured-content"),
		Doc: `structuredContent should be repeated as a text block

Clients that do not support structuredContent pass only the text to the model. A text block with the same JSON gives all
clients the same data.`,
	},
	Since: "2025-06-18",
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		done, err := p.structured(ctx)
		for _, c := range done {
			content := At(c.Result(), "/structuredContent")
			if content == nil || mirrored(content, blocksOf(c.Result())) {
				continue
			}
			p.Report(Seen{Subject: c.Name, Exchange: c.Exchange, Pointer: "/content"}, "no text block contains the JSON of structuredContent, expected one for clients that do not support it")
		}
		return err
	},
}

// mirrored reports whether one of the blocks is the text of a JSON value.
func mirrored(value json.RawMessage, blocks []block) bool {
	for _, b := range blocks {
		if text, ok := schema.Text(At(b.raw, "/text")); ok && equalJSON([]byte(text), value) {
			return true
		}
	}
	return false
}
