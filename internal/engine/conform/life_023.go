package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life023 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-023",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic#request-metadata"),
		Doc: `A request without metadata is refused with -32602.

In the modern era each request names its revision in _meta. A server that serves one that does not has to guess by which
rules, and guesses differently from the next. To a server on a pipe that speaks revisions with a handshake, too, the request
may be one of those that came too early: then whatever else it does than this is a warning.`,
	},
	Since: mcp.NewestModern,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta", p.tooEarly)
	},
}

// refusesMeta wants a request refused whose metadata is not complete. Where it is not, excused tells whether that is a warning;
// it may be nil.
func (p *Pass) refusesMeta(ctx context.Context, s *mcp.Session, params, how string, excused func(context.Context) bool) error {
	method := p.listed()
	id := strconv.FormatInt(s.ReserveID(), 10)
	ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	if err != nil {
		return err
	}
	done := "served"
	if e := ex.Reply.Error; e != nil && slices.Contains(p.malformed(), e.Code) {
		return nil
	} else if e != nil {
		done = fmt.Sprintf("answered with %v", e)
	}
	tell := p.Report
	if excused != nil && excused(ctx) {
		tell = p.Warn
	}
	tell(Seen{Exchange: ex}, "a request %s was %s; want error %d", how, done, mcp.CodeInvalidParams)
	return nil
}

// tooEarly reports whether a first request without metadata can be taken for one that came before a handshake: on a pipe, if the
// server speaks a revision with a handshake. It may list one, or show it when it is greeted.
func (p *Pass) tooEarly(ctx context.Context) bool {
	first := p.round.links.first
	if placeOf(p.Target.Transport()) == OnHTTP || first == nil || first.Greeting == nil || first.Greeting.Reply == nil {
		return false
	}
	spoken, _ := schema.Elements(At(first.Greeting.Reply.Result, "/supportedVersions"))
	return slices.ContainsFunc(spoken, func(raw json.RawMessage) bool {
		text, _ := textOf(raw)
		return mcp.EraOf(text) == mcp.Legacy
	}) || p.shakesHands(ctx)
}

// shakesHands reports whether the server agrees on a revision with a handshake.
func (p *Pass) shakesHands(ctx context.Context) bool {
	s, err := p.Open(ctx, func(o *mcp.Options) { o.Protocol = mcp.NewestLegacy })
	if err != nil || s.Greeting == nil || s.Greeting.Reply == nil {
		return false
	}
	agreed := TextAt(s.Greeting.Reply.Result, "/protocolVersion")
	return agreed != "" && mcp.EraOf(agreed) == mcp.Legacy
}
