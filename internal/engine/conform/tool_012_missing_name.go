package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool012 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-012",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#error-handling"),
		Doc: `call without a tool name should fail with -32602

name identifies the tool. A request without it is malformed, and error -32602 shows that the client must be fixed.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "tools/call", json.RawMessage(`{"arguments":{}}`))
		if err != nil {
			return err
		}
		p.expectCode(ex, "tools/call without name", p.malformed()...)
		return nil
	},
}
