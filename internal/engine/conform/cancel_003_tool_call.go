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
		Doc: `tool must keep working after one of its calls was cancelled

A user who stops a call continues working. Some servers retain a lock, a flag or a broken connection from the cancelled
call, so that every later call of the tool fails or gets no response.`,
	},
	Needs:   "tools",
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, s, err := p.scratchTools(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			params := mcp.Object("name", t.Name, "arguments", t.Arguments)
			for n := range 2 {
				if err := p.cancelRequest(ctx, s, fmt.Sprintf("mcptest-call-%s-%d", t.Name, n), "tools/call",
					params); err != nil {
					return err
				}
			}
			if p.poisoned(ctx, s, t, nil, "2 cancelled calls") {
				return nil
			}
		}
		return nil
	},
}
