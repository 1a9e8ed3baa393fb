package conform

import (
	"context"
	"fmt"

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
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcptest-utf-8","method":%q,"params":%s}`, p.pinged(), p.Params("{\"x\":\"\xff\xfe\"}"))
		return p.survives(ctx, body, "a line that is no UTF-8")
	},
}
