package conform

import (
	"context"
	"encoding/base64"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http025 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-025",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `base64-encoded Mcp-Name must be decoded

Values that are not allowed in a header are sent as =?base64?…?=. A server that compares the raw text rejects every tool
and resource whose name is not plain ASCII.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		a, err := p.requestNamed(ctx, func(name string) []string {
			return []string{"=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="}
		})
		if err != nil {
			return err
		}
		if reply := a.Reply(); reply != nil && reply.Error != nil && reply.Error.Code == mcp.CodeHeaderMismatch {
			p.Report(Evidence{Answer: a, Subject: "Mcp-Name"},
				"request with a base64-encoded Mcp-Name failed with %v, expected it to succeed", reply.Error)
		}
		return nil
	},
}
