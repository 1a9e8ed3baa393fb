package conform

import (
	"context"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life028 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-028",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic#statelessness"),
		Doc: `server must not infer metadata from earlier requests

A request without metadata is incomplete, even on a connection that carried requests with metadata in revisions from
2026-07-28 on. A server that reuses earlier metadata applies it to other clients as soon as there is a proxy in between.
If a server that also supports revisions up to 2025-11-25 accepts such a request even as the first one, it reuses
nothing: that is a warning.`,
	},
	Since: spec.NewestModern,
	On:    OnPipe,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		if _, err := p.Alive(ctx, s); err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta after one with _meta", p.servesWithoutMeta)
	},
}

// servesWithoutMeta reports whether a server that supports revisions with and without a handshake serves a request
// without metadata even as the first one. Then it infers nothing, and LIFE-023 reports it.
func (p *CheckContext) servesWithoutMeta(ctx context.Context, _ *mcp.RPCError) bool {
	s, err := p.Open(ctx, func(o *mcp.Options) { o.Bare = true })
	if err != nil {
		return false
	}
	id := strconv.FormatInt(s.ReserveID(), 10)
	ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{}}`, id, p.listed()))
	return err == nil && ex.Reply.Error == nil && p.tooEarly(ctx, nil)
}
