package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var cancel003 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `after a tool call was cancelled the tool must work again.

A user who stops a call goes on working. Servers have kept a lock, a flag or a broken connection from the call that was
cancelled, so that every later call of the tool failed or was never answered.`,
	},
	Needs:   "tools",
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		tools, s, err := p.scratchTools(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			params := mcp.Object("name", t.Name, "arguments", t.Arguments)
			for n := range 2 {
				if err := p.cancelRequest(ctx, s, fmt.Sprintf("mcptest-call-%s-%d", t.Name, n), "tools/call", params); err != nil {
					return err
				}
			}
			if p.poisoned(ctx, s, t, nil, "two calls that were cancelled") {
				return nil
			}
		}
		return nil
	},
}
