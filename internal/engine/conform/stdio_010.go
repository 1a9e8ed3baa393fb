package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio010 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-010",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `A line that is no UTF-8 does not end the connection.

Bytes that are no text come from a broken client or a broken terminal. The line is refused or ignored, and the next request
is served.`,
	},
	On:         OnPipe,
	Disruptive: true,
	Run: func(ctx context.Context, p *Pass) error {
		return p.survives(ctx, "{\"jsonrpc\":\"2.0\",\"id\":\"mcptest-utf-8\",\"method\":\"ping\",\"params\":{\"x\":\"\xff\xfe\"}}", "a line that is no UTF-8")
	},
}
