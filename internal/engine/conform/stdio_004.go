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
		Doc: `An empty line does not end the connection.

Some clients and many hands end a message with one newline too many. The empty line is ignored.`,
	},
	On:         OnPipe,
	Disruptive: true,
	Scratch:    true,
	Run:        func(ctx context.Context, p *Pass) error { return p.survives(ctx, "", "an empty line") },
}
