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
		Doc: `invalid UTF-8 must not close the connection

Bytes that are not text come from a broken client or terminal. The server must reject or ignore the line and serve the
next request.`,
	},
	On:         OnPipe,
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcptest-utf-8","method":%q,"params":%s}`, p.pinged(),
			p.Params("{\"x\":\"\xff\xfe\"}"))
		return p.survives(ctx, body, "a line that is not UTF-8")
	},
}
