package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio006 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `Two messages that arrive together are both read.

A pipe knows no messages: two lines may arrive in one read, and one line in two. A server that takes a read for a message
loses the second.`,
	},
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		request := func(id string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(), p.Params(""))
		}
		if _, err := p.Send(ctx, s, `"mcptest-second"`, request(`"mcptest-first"`)+"\n"+request(`"mcptest-second"`)); err != nil {
			p.Report(Seen{Subject: p.pinged()}, "of two requests in one write the second was not answered; want both answered")
		}
		return nil
	},
}
