package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
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
prompt may reject. The specification does not require messages, but a prompt without any is useless. The check tries the
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
			case refusal == nil && schema.TextAt(g.Exchange.Reply.Result, "/resultType") != "input_required" &&
				len(messageBlocks(g.Exchange.Reply.Result)) == 0:
				p.report(finding.Info, Evidence{Subject: g.Item.Name, Exchange: g.Exchange, Pointer: "/messages"},
					"prompt has no messages, expected at least one")
			}
		}
		return err
	},
}
