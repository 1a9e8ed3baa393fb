package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt016 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-016",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `prompt must accept any text in its arguments

Users paste code, JSON and text in other languages. A prompt that works with a simple text and fails internally with
braces, percent signs or quotes uses the text as a template or a pattern. Insert it as data.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *Pass) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			if g.Exchange.Reply.Error != nil {
				continue
			}
			for _, text := range trickyTexts {
				arguments, ok := argumentsWith(g.Item, text)
				if !ok {
					break
				}
				ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", arguments))
				if err != nil {
					return err
				}
				if refusal := ex.Reply.Error; refusal != nil && failsInside(refusal) {
					p.Report(Seen{Subject: g.Item.Name, Exchange: ex}, "prompt with the text %s: expected messages, got error %d: %s", quoted(text), refusal.Code, said(refusal))
					break
				}
			}
		}
		return err
	},
}

// trickyTexts contain what templates, patterns and formats treat in a special way.
var trickyTexts = []string{`{"a": {b}} {0} {{c}}`, `100% %s %(x)s ${y} \d+[(`, "it's \"ünï\" 日本\nnext"}

// argumentsWith returns a text for each required argument of a prompt, or for the first one if none is required; ok is false if
// there is none. Arguments with a format get a sample: a server may return them as they are.
func argumentsWith(prompt mcp.Item, text string) (arguments json.RawMessage, ok bool) {
	var pairs []any
	required := requiredArgument(prompt)
	elements, _ := schema.Elements(At(prompt.Raw, "/arguments"))
	for _, a := range elements {
		name := TextAt(a, "/name")
		switch sample := sampleText(name); {
		case name == "", required != "" && string(At(a, "/required")) != "true", required == "" && len(pairs) > 0:
		case sample != plainSample:
			pairs = append(pairs, name, sample)
		default:
			pairs, ok = append(pairs, name, text), true
		}
	}
	return mcp.Object(pairs...), ok
}
