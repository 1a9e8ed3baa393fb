package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio004 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `empty line must not close the connection

Some clients, and people who type messages, send an extra newline. Empty lines must be ignored.`,
	},
	On:         OnPipe,
	Disruptive: true,
	Scratch:    true,
	Run:        func(ctx context.Context, p *CheckContext) error { return p.survives(ctx, "", "an empty line") },
}
