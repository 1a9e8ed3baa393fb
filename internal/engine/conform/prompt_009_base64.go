package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt009 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-009",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/prompts#promptmessage"),
		Doc: `image, audio and blob data in prompts must be base64 with a media type

A client that cannot decode one block, or does not know its type, drops the whole prompt.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			for _, b := range messageBlocks(g.Exchange.Reply.Result) {
				if pointer, problem := b.badBase64(); problem != "" {
					p.Report(Evidence{Subject: g.Item.Name, Exchange: g.Exchange, Pointer: pointer}, "%s", problem)
				}
				if pointer, problem := b.badType(); problem != "" {
					p.Warn(Evidence{Subject: g.Item.Name, Exchange: g.Exchange, Pointer: pointer}, "%s", problem)
				}
			}
		}
		return p.orNotRendered(got, err)
	},
}
