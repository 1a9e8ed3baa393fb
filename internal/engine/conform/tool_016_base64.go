package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool016 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-016",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `image, audio and blob data in results must be base64

Binary content is padded base64 in the standard alphabet, without line breaks. A client that cannot decode one block drops
the whole result.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			for _, b := range blocksOf(c.Result()) {
				if pointer, problem := b.badBase64(); problem != "" {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: pointer}, "%s", problem)
				}
			}
		}
		return err
	},
}
