package conform

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc020 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-020",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#requests"),
		Doc: `unknown members must be ignored

A newer client sends fields that an older server does not know. A server that rejects unknown fields cannot be used by
newer clients.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		id := strconv.FormatInt(s.ReserveID(), 10)
		params := p.Params(`{"mcptest-unknown":{"nested":[1,2,3]}}`)
		ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(),
			params))
		if err != nil {
			return err
		}
		if ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "%s with an unknown member in params: got %v, expected it to be ignored",
				p.pinged(), ex.Reply.Error)
		}
		return nil
	},
}
