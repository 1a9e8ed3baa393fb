package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt014 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-014",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `required argument of a prompt should have an effect

The prompt was requested with two different values of a required argument, and its messages were the same. The input of
the user is lost: the argument is read under another name, or not inserted.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			name := requiredArgument(g.Item)
			if name == "" || g.Exchange.Reply.Error != nil ||
				schema.TextAt(g.Exchange.Reply.Result, "/resultType") == "input_required" {
				continue
			}
			other, err := schema.Apply(promptArguments(g.Item, ""),
				[]finding.Edit{{Pointer: "/" + schema.Token(name), Value: otherSample(name)}})
			if err != nil {
				continue
			}
			ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", other))
			if err != nil {
				return err
			}
			if messages := At(ex.Reply.Result, "/messages"); ex.Reply.Error == nil && messages != nil &&
				equalJSON(messages, At(g.Exchange.Reply.Result, "/messages")) {
				p.Report(Evidence{Subject: g.Item.Name, Exchange: ex, Pointer: "/messages"},
					"two values of the argument %s: expected different messages, got the same", quoted(name))
			}
		}
		return err
	},
}

// otherSample returns a text for an argument that differs from sampleText.
func otherSample(name string) json.RawMessage {
	if sampleText(name) == "1" {
		return json.RawMessage(`"2"`)
	}
	return json.RawMessage(`"https://example.com/mcptest-other"`)
}
