package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// provoke makes sure that there are results and errors to examine, for checks that evaluate what others recorded: it
// calls the tools and requests items that do not exist. Failures are ignored.
func (p *CheckContext) provoke(ctx context.Context) {
	p.callOnce(ctx)
	if p.round.locked || len(p.round.lost.list()) > 0 {
		return
	}
	_, _ = remember(ctx, p, "provoked", func() (bool, error) {
		if _, err := p.Call(ctx, "mcptest/no-such-method", nil); err != nil {
			return false, err
		}
		if p.round.offers("resources") {
			_, _ = p.Call(ctx, "resources/read", mcp.Object("uri", "mcptest://no-such-resource"))
		}
		if p.round.offers("tools") {
			p.provokeTools(ctx)
		}
		return true, nil
	})
}

// provokeTools calls a few tools without a required argument: those whose sample call got a response immediately, since
// no other check runs meanwhile.
func (p *CheckContext) provokeTools(ctx context.Context) {
	tools, _ := p.quick(ctx)
	tried := 0
	for _, t := range tools {
		name, arguments := withoutRequired(t.Tool)
		if name == "" || tried == maxOddTools {
			continue
		}
		tried++
		if _, err := p.tryCall(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments)); err != nil {
			return
		}
	}
}
