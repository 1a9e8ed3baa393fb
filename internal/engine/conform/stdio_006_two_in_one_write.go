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
		Doc: `two messages in one write must both be read

A pipe has no message boundaries: two lines may arrive in one read, and one line in two. A server that treats each read
as a message loses the second.`,
	},
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		request := func(id string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(), p.Params(""))
		}
		if _, err := p.Send(ctx, s, `"mcptest-second"`,
			request(`"mcptest-first"`)+"\n"+request(`"mcptest-second"`)); err != nil {
			p.Report(Evidence{Subject: p.pinged()},
				"two requests in one write: no response to the second, expected both")
		}
		return nil
	},
}
