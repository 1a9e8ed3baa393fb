package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc023 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-023",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `concurrent tool calls must each get their own result

Hosts call tools in parallel. Tools that return the same result each time are called sequentially and then concurrently:
each call must get a response, with the same result as alone. Servers that share state between calls swap results, and
servers with a lock may never respond. A result that is neither that of the call nor that of another call is a warning.`,
	},
	Needs:      "tools",
	Disruptive: true,
	Alone:      true,
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.working(ctx)
		if err != nil {
			return err
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		tools = p.mostTelling(ctx, tools)
		calls, err := p.steady(ctx, s, tools[:min(len(tools), maxConcurrentTools)])
		if err != nil {
			return err
		}
		p.callTogether(ctx, s, calls)
		if !distinguishable(calls) && len(p.findings) == 0 {
			return p.Skip("every repeated call returns the same result, so a swapped one is not noticed")
		}
		return nil
	},
}
