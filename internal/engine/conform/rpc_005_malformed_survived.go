package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc005 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-005",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic"),
		Doc: `malformed message must not close the connection

A frame that is not JSON must be rejected, with -32700 and the ID null, or ignored. A server that exits or stops
responding because of one broken byte aborts all other requests. A message after a byte order mark may be served or
rejected; if the server exits, that is a warning.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		err := p.survives(ctx, `{"jsonrpc":"2.0","id":1,"method":`, "a line that is not JSON")
		if err != nil || len(p.findings) > 0 {
			return err
		}
		const what = "a message after a byte order mark"
		sent, err := p.SendRaw(ctx, p.scratch, "\ufeff"+`{"jsonrpc":"2.0","id":"mcptest-5","method":"`+p.pinged()+
			`","params":`+p.Params("")+`}`)
		if err != nil {
			return err
		}
		if _, err := p.Alive(ctx, p.scratch); err != nil {
			p.Warn(Evidence{Subject: what, Frames: []wire.Frame{sent}},
				"server no longer responds after it: %s, expected it to continue", wire.Reason(err))
		}
		return nil
	},
}
