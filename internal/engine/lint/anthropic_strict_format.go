package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictFormat = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/format",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `unsupported format

Supported formats are date-time, time, date, duration, email, hostname, uri, ipv4, ipv6 and uuid.

Omit the format and describe it in the description.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		reportFormats(p, "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")
	},
}
