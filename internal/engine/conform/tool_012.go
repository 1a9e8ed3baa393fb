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
		Doc: `A call that names no tool is refused with error -32602.

name is what a call is about. A request without it is malformed, and error -32602 says which side has to be mended.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.tryCall(ctx, "tools/call", json.RawMessage(`{"arguments":{}}`))
		if err != nil {
			return err
		}
		p.wantCode(ex, "a call without a name", p.malformed()...)
		return nil
	},
}
