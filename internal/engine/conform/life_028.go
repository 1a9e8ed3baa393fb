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
		Spec:     spec.URL("2026-07-28", "basic#statelessness"),
		Doc: `Nothing is inferred from earlier requests.

On a connection that has carried requests of the modern era, one without metadata is still incomplete. A server that fills in
what came before serves one client by the word of another as soon as there is a proxy between them. One of both eras that serves
such a request also when nothing came before it has filled in nothing: that is a warning.`,
	},
	Since: mcp.NewestModern,
	On:    OnPipe,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		if _, err := p.Alive(ctx, s); err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta, after one with it,", p.servesAnybody)
	},
}

// servesAnybody reports whether a server of both eras serves a request without metadata as the first one, too. Then it infers
// nothing, and what there is to say LIFE-023 tells.
func (p *Pass) servesAnybody(ctx context.Context) bool {
	s, err := p.Open(ctx, func(o *mcp.Options) { o.Bare = true })
	if err != nil {
		return false
	}
	id := strconv.FormatInt(s.ReserveID(), 10)
	ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{}}`, id, p.listed()))
	return err == nil && ex.Reply.Error == nil && p.tooEarly(ctx)
}
