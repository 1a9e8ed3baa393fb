package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt006 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `listed prompts should return messages

A prompt without required arguments is requested without any. Each required argument gets a sample text, which the
prompt may reject. If it then succeeds with one more argument, that one is not optional: declare it as required. The specification does not require messages, but a prompt without any is useless. The check tries the
first 5 prompts.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			switch refusal := g.Exchange.Reply.Error; {
			case refusal != nil && requiredArgument(g.Item) == "":
				p.Report(Evidence{Subject: g.Item.Name, Exchange: g.Exchange},
					"prompts/get of a listed prompt failed with error %d: %s, expected messages", refusal.Code,
					errorLine(refusal))
			case refusal != nil:
				name, err := p.neededArgument(ctx, g.Item)
				if err != nil {
					return err
				}
				if name != "" {
					p.Report(Evidence{Subject: g.Item.Name, Exchange: g.Exchange},
						"the optional argument %s was omitted: expected messages, got error %d: %s", quoted(name),
						refusal.Code, errorLine(refusal))
				}
			case refusal == nil && schema.TextAt(g.Exchange.Reply.Result, "/resultType") != "input_required" &&
				len(messageBlocks(g.Exchange.Reply.Result)) == 0:
				p.report(finding.Info, Evidence{Subject: g.Item.Name, Exchange: g.Exchange, Pointer: "/messages"},
					"prompt has no messages, expected at least one")
			}
		}
		return p.orNotRendered(got, err)
	},
}

// neededArgument returns an optional argument without which a prompt fails, and with which it succeeds; empty if there
// is none.
func (p *CheckContext) neededArgument(ctx context.Context, prompt mcp.Item) (string, error) {
	for _, name := range optionalArguments(prompt) {
		with, err := schema.Apply(promptArguments(prompt, ""),
			[]finding.Edit{{Pointer: "/" + schema.Token(name), Value: json.RawMessage(`"1"`)}})
		if err != nil {
			continue
		}
		ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", prompt.Name, "arguments", with))
		if err != nil {
			return "", err
		}
		if ex.Reply.Error == nil {
			return name, nil
		}
	}
	return "", nil
}
