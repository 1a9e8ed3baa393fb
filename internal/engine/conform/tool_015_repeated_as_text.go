package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool015 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-015",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#structured-content"),
		Doc: `a text block should contain the same JSON as structuredContent

Clients that do not support structuredContent pass only the text to the model. A text block with the same JSON gives all
clients the same data. If the text is JSON with other values, a model reads something else than a program: such as the
result of an earlier call, or a list without its last items.`,
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
			if difference, found := contradicted(content, blocksOf(c.Result())); found {
				p.Report(seen, "%s", difference)
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

// contradicted returns where the JSON of a text block differs from structuredContent: a property that both have, with
// other values.
func contradicted(value json.RawMessage, blocks []block) (difference string, found bool) {
	for _, b := range blocks {
		said, _ := schema.Text(At(b.raw, "/text"))
		if !json.Valid([]byte(said)) || schema.Kind(json.RawMessage(said)) != '{' {
			continue
		}
		if difference := differs(value, json.RawMessage(said), "", maxSearched); difference != "" {
			return difference, true
		}
	}
	return "", false
}

// differs describes the first difference of two values, of a text and of structuredContent, in what both have.
func differs(value, said json.RawMessage, at string, depth int) string {
	kind, other := schema.Kind(value), schema.Kind(said)
	switch {
	case depth == 0 || equalJSON(value, said) || at == "" && kind != other:
		return ""
	case kind == '{' && other == '{':
		members, _ := schema.Members(value)
		for _, m := range members {
			if in := At(said, "/"+schema.Token(m.Name)); in != nil {
				if difference := differs(m.Value, in, strings.TrimPrefix(at+"."+m.Name, "."), depth-1); difference != "" {
					return difference
				}
			}
		}
		return ""
	case kind == '[' && other == '[':
		expected, _ := schema.Elements(value)
		got, _ := schema.Elements(said)
		for i := range expected[:min(len(expected), len(got))] {
			if difference := differs(expected[i], got[i], fmt.Sprintf("%s[%d]", at, i), depth-1); difference != "" {
				return difference
			}
		}
		if len(got) != len(expected) {
			return fmt.Sprintf("text differs from structuredContent: %s has %d elements in the text, against %d in structuredContent",
				at, len(got), len(expected))
		}
		return ""
	}
	return fmt.Sprintf("text differs from structuredContent: property %s is %s in the text, against %s in structuredContent", at,
		show(said), show(value))
}

func isScalar(raw json.RawMessage) bool {
	kind := schema.Kind(raw)
	return kind != '{' && kind != '['
}
