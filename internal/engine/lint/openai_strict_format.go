package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictFormat = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/format",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `unsupported format

Supported formats are date-time, time, date, duration, email, hostname, ipv4, ipv6 and uuid. Others, including uri, are
rejected.

Omit the format and describe it in the description.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		reportFormats(p, "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
	},
}
