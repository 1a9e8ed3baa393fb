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
		Spec:     spec.URL(spec.July2026, "basic#request-metadata"),
		Doc: `request without _meta must fail with -32602

In revisions from 2026-07-28 on, each request names its revision in _meta. A server that accepts a request without it
has to guess the revision, and servers guess differently. For a stdio server that also supports revisions with a
handshake, the request may be one sent before the handshake: there, any other behavior is a warning.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta", p.tooEarly)
	},
}

// refusesMeta expects a request with incomplete metadata to be rejected. If it is not, excused reports whether that is
// only a warning; it may be nil.
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
		done = fmt.Sprintf("rejected with %v", e)
	}
	tell := p.Report
	if excused != nil && excused(ctx) {
		tell = p.Warn
	}
	tell(Seen{Exchange: ex}, "request %s was %s, expected error %d", how, done, mcp.CodeInvalidParams)
	return nil
}

// tooEarly reports whether a first request without metadata can be treated as one sent before a handshake: over stdio,
// if the server supports a revision with a handshake. The server may list such a revision, or accept it in a handshake.
func (p *Pass) tooEarly(ctx context.Context) bool {
	first := p.round.links.first
	if placeOf(p.Target.Transport()) == OnHTTP || first == nil || first.Greeting == nil || first.Greeting.Reply == nil {
		return false
	}
	spoken, _ := schema.Elements(At(first.Greeting.Reply.Result, "/supportedVersions"))
	return slices.ContainsFunc(spoken, func(raw json.RawMessage) bool {
		text, _ := textOf(raw)
		return spec.EraOf(text) == spec.Legacy
	}) || p.shakesHands(ctx)
}

// shakesHands reports whether the server agrees on a revision with a handshake.
func (p *Pass) shakesHands(ctx context.Context) bool {
	s, err := p.Open(ctx, func(o *mcp.Options) { o.Protocol = spec.NewestLegacy })
	if err != nil || s.Greeting == nil || s.Greeting.Reply == nil {
		return false
	}
	agreed := TextAt(s.Greeting.Reply.Result, "/protocolVersion")
	return agreed != "" && spec.EraOf(agreed) == spec.Legacy
}
