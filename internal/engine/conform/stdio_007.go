package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio007 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `A message of a megabyte is read.

Arguments hold documents and images. A server that reads into a fixed buffer, or line by line with a limit, stops at the
first large one, and often for good.`,
	},
	On:         OnPipe,
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		params := p.Params(`{"mcptest-large":"` + strings.Repeat("x", 1<<20) + `"}`)
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"mcptest-large","method":%q,"params":%s}`, p.pinged(), params)
		_, err = p.Send(ctx, s, `"mcptest-large"`, body)
		if died(err) {
			p.Report(Seen{Subject: p.pinged()}, "a request of a megabyte was not answered; want an answer, were it a refusal")
			return nil
		}
		return err
	},
}
