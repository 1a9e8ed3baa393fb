package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var log001 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-001",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "server/utilities/logging#setting-log-level"),
		Doc: `every log level must be accepted

The 8 levels are those of syslog. A server that declares logging must accept each of them.`,
	},
	Until: spec.November2025,
	Needs: "logging",
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Other(ctx)
		if err != nil {
			return err
		}
		for _, level := range logLevels {
			ex, err := p.CallIn(ctx, s, "logging/setLevel", mcp.Object("level", level))
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil {
				p.Report(Evidence{Exchange: ex}, "level %s failed with error %d: %s, expected an empty result", level,
					refusal.Code, errorLine(refusal))
			}
		}
		return nil
	},
}

// logLevels are the levels, the least severe first.
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
