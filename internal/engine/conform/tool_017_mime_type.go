package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool017 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-017",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `mimeType in results should be a valid media type

A client uses mimeType to decide how to show a block, and providers accept images only with a known type.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			for _, b := range blocksOf(c.Result()) {
				if pointer, problem := b.badType(); problem != "" {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: pointer}, "%s", problem)
				}
			}
		}
		return err
	},
}
