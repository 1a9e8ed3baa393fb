package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt006 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `A prompt that is listed brings messages.

A prompt without required arguments can be got as it is. One with some is given a text for each, and may say that it
does not take it. That there are messages is not demanded, but a prompt without any is of no use. The first five are tried.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *Pass) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			switch refusal := g.Exchange.Reply.Error; {
			case refusal != nil && requiredArgument(g.Item) == "":
				p.Report(Seen{Subject: g.Item.Name, Exchange: g.Exchange}, "the prompt is listed, and getting it was refused with error %d: %s; want messages", refusal.Code, said(refusal))
			case refusal == nil && TextAt(g.Exchange.Reply.Result, "/resultType") != "input_required" && len(messageBlocks(g.Exchange.Reply.Result)) == 0:
				p.report(finding.Info, Seen{Subject: g.Item.Name, Exchange: g.Exchange, Pointer: "/messages"}, "the prompt has no messages; want at least one")
			}
		}
		return err
	},
}
