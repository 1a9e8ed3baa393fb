package conform

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life030 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-030",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic#statelessness"),
		Doc: `requests must not need server/discover or a list before them

Requests of revisions from 2026-07-28 on do not depend on earlier ones, and server/discover is optional for a client. A
server that prepares its tools when it is discovered or when they are listed offers nothing to a client that sends its first
request directly, or through a proxy that selects another process.`,
	},
	Since: spec.NewestModern,
	On:    OnPipe,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Open(ctx, func(o *mcp.Options) { o.Bare = true })
		if err != nil {
			return err
		}
		method := p.listed()
		if !strings.HasSuffix(method, "/list") {
			return p.Skip("server has no list")
		}
		usual, err := p.List(ctx, method)
		if err != nil {
			return err
		}
		id := strconv.FormatInt(s.ReserveID(), 10)
		ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method,
			p.Params("")))
		if err != nil {
			return err
		}
		if refusal := ex.Reply.Error; refusal != nil {
			p.Report(Evidence{Subject: method, Exchange: ex},
				"first request of a connection: expected a result, got error %d: %s", refusal.Code, errorLine(refusal))
			return nil
		}
		if got := len(entries(ex, usual.Key)); len(usual.Pages) > 0 && got < len(entries(usual.Pages[0], usual.Key)) {
			p.Report(Evidence{Subject: method, Exchange: ex},
				"first request of a connection: expected %d entries as after server/discover, got %d",
				len(entries(usual.Pages[0], usual.Key)), got)
		}
		return p.firstCall(ctx)
	},
}

// firstCall calls a tool as the first request of a connection. If that fails, it must fail after the list and
// server/discover, too.
func (p *CheckContext) firstCall(ctx context.Context) error {
	if !p.round.offers("tools") {
		return nil
	}
	tools, err := p.Callable(ctx)
	if err != nil || len(tools) == 0 || p.round.limited(tools[0].Name) {
		return nil // there is no tool to call
	}
	s, err := p.Open(ctx, func(o *mcp.Options) { o.Bare = true })
	if err != nil {
		return err
	}
	call := p.Params(fmt.Sprintf(`{"name":%q,"arguments":%s}`, tools[0].Name, tools[0].Arguments))
	var replies [5]*mcp.Exchange
	for i, one := range []struct{ method, params string }{
		{"tools/call", call}, {"tools/list", p.Params("")}, {"tools/call", call}, {"server/discover", p.Params("")},
		{"tools/call", call},
	} {
		id := strconv.FormatInt(s.ReserveID(), 10)
		replies[i], err = p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id,
			one.method, one.params))
		if err != nil {
			return err
		}
	}
	fails := func(ex *mcp.Exchange) bool { return ex.Reply.Error != nil || calls.IsError(ex.Reply.Result) }
	if !fails(replies[0]) {
		return nil
	}
	for _, i := range []int{2, 4} {
		if fails(replies[i]) {
			continue
		}
		p.Report(Evidence{Subject: tools[0].Name, Exchange: replies[0]},
			"call as the first request of a connection: expected the same result as after %s, got %s",
			replies[i-1].Request.Method, outcomeOf(replies[0]))
		break
	}
	return nil
}
