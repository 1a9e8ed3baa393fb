package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio005 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `A message whose line ends with CR LF is read.

On Windows a text stream writes CR LF. JSON allows blanks around a value, and a carriage return is one, so that the message
is as good as any.`,
	},
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcptest-crlf","method":%q,"params":%s}`+"\r", p.pinged(), p.Params(""))
		ex, err := p.Send(ctx, s, `"mcptest-crlf"`, body)
		if died(err) {
			p.Report(Seen{Subject: p.pinged()}, "a request whose line ends with CR LF was not answered; want an answer")
			return nil
		}
		if err == nil && ex.Reply.Error != nil {
			p.Report(Seen{Exchange: ex}, "a request whose line ends with CR LF was answered with %v; want a result", ex.Reply.Error)
		}
		return err
	},
}
