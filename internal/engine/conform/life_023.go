package conform

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life023 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-023",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic#request-metadata"),
		Doc: `A request without metadata is refused with -32602.

In the modern era each request names its revision in _meta. A server that serves one that does not has to guess by which
rules, and guesses differently from the next.`,
	},
	Since: mcp.NewestModern,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta")
	},
}

// refusesMeta wants a request refused whose metadata is not complete.
func (p *Pass) refusesMeta(ctx context.Context, s *mcp.Session, params, how string) error {
	method := "server/discover"
	if p.Declares("tools") {
		method = "tools/list"
	}
	id := strconv.FormatInt(s.ReserveID(), 10)
	ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	switch {
	case err != nil:
		return err
	case ex.Reply.Error == nil:
		p.Report(Seen{Exchange: ex}, "a request %s was served; want error %d", how, mcp.CodeInvalidParams)
	case ex.Reply.Error.Code != mcp.CodeInvalidParams:
		p.Report(Seen{Exchange: ex}, "a request %s was answered with %v; want error %d", how, ex.Reply.Error, mcp.CodeInvalidParams)
	}
	return nil
}
