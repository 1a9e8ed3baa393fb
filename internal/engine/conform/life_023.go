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
rules, and guesses differently from the next. To a server that speaks revisions with a handshake, too, the request may be one
of those that came too early: any refusal is one, and another code a warning.`,
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
	case ex.Reply.Error.Code != mcp.CodeInvalidParams && s.Greeting == nil && p.tooEarly():
		p.Warn(Seen{Exchange: ex}, "a request %s was answered with %v; want error %d", how, ex.Reply.Error, mcp.CodeInvalidParams)
	case ex.Reply.Error.Code != mcp.CodeInvalidParams:
		p.Report(Seen{Exchange: ex}, "a request %s was answered with %v; want error %d", how, ex.Reply.Error, mcp.CodeInvalidParams)
	}
	return nil
}

// tooEarly reports whether a first request without metadata can be taken for one that came before a handshake: on a pipe, if the
// server lists a revision with a handshake among those that it speaks.
func (p *Pass) tooEarly() bool {
	first := p.round.links.first
	if placeOf(p.Target.Transport()) == OnHTTP || first == nil || first.Greeting == nil || first.Greeting.Reply == nil {
		return false
	}
	spoken, _ := schema.Elements(At(first.Greeting.Reply.Result, "/supportedVersions"))
	return slices.ContainsFunc(spoken, func(raw json.RawMessage) bool {
		text, _ := textOf(raw)
		return mcp.EraOf(text) == mcp.Legacy
	})
}
