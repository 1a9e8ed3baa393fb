package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool010 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-010",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `call without a required argument must be rejected

A server must validate its input. A tool that runs without an argument that its own schema requires does something that
the caller did not request. From 2025-11-25 on, the call should return a result with isError, so that a model can fix
its call; before that, error -32602 is equally correct.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.wrongCalls(ctx, withoutRequired, "call without required argument %s", "requires an argument")
	},
}
