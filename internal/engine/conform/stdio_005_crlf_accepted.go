package conform

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio005 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `lines ending in CRLF should be accepted

On Windows, text streams write CR LF. JSON allows whitespace around a value, including a carriage return, so the message
is valid.`,
	},
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		id := strconv.FormatInt(s.ReserveID(), 10) // RPC-001 checks strings
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\r", id, p.pinged(), p.Params(""))
		ex, err := p.Send(ctx, s, id, body)
		if died(err) {
			p.Report(Evidence{Subject: p.pinged()},
				"request with a line ending in CR LF: got no response, expected one")
			return nil
		}
		if err == nil && ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "request with a line ending in CR LF: got %v, expected a result",
				ex.Reply.Error)
		}
		return err
	},
}
