package conform

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// once is Report for faults that many responses may have: each kind is reported once per subject.
func (p *CheckContext) once(s Evidence, format string, args ...any) {
	p.onceAs(p.Check.Severity, s, format, args...)
}

func (p *CheckContext) onceAs(severity finding.Severity, s Evidence, format string, args ...any) {
	if !slices.ContainsFunc(p.findings, func(f finding.Finding) bool {
		return f.Where.Subject == s.Subject && f.Where.Pointer == s.Pointer && f.Severity == severity
	}) {
		p.report(severity, s, format, args...)
	}
}
