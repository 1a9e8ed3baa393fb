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
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.structured(ctx)
		for _, c := range done {
			content := At(c.Result(), "/structuredContent")
			if content == nil || mirrored(content, blocksOf(c.Result())) {
				continue
			}
			seen := Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/content"}
			if name, text, found := contradicted(content, blocksOf(c.Result())); found {
				p.Report(seen, "property %s is %s in the text: expected %s as in structuredContent", name, show(text),
					show(At(content, "/"+schema.Token(name))))
				continue
			}
			what := "structuredContent"
			if members, _ := schema.Members(content); len(members) == 1 && members[0].Name == "result" {
				what += `, which wraps a value as "result"`
			}
			p.Report(seen, "no text block contains the JSON of %s, expected one for clients that do not support it",
				what)
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

// contradicted returns a property that has one scalar value in structuredContent and another one in the JSON of a text
// block.
func contradicted(value json.RawMessage, blocks []block) (name string, text json.RawMessage, found bool) {
	members, _ := schema.Members(value)
	for _, b := range blocks {
		said, _ := schema.Text(At(b.raw, "/text"))
		if !json.Valid([]byte(said)) || schema.Kind(json.RawMessage(said)) != '{' {
			continue
		}
		for _, m := range members {
			other := At(json.RawMessage(said), "/"+schema.Token(m.Name))
			if other != nil && isScalar(m.Value) && isScalar(other) && !equalJSON(other, m.Value) {
				return m.Name, other, true
			}
		}
	}
	return "", nil, false
}

func isScalar(raw json.RawMessage) bool {
	kind := schema.Kind(raw)
	return kind != '{' && kind != '['
}
