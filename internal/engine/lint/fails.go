package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// Fails reports whether a report causes a failing exit status. Every SCH finding does, and every error or critical
// finding of another family. Other findings count only if the user selected their rules by name. Host findings count
// only for the hosts or rules that were selected. With a severity floor, every finding at or above it counts.
func Fails(report *finding.Report, opts *Options) bool {
	return slices.ContainsFunc(report.Findings(), opts.Counts)
}

// Counts reports whether a finding causes a failing exit status; see [Fails]. Renderers use it, so that a report never
// contradicts the exit status.
func (o *Options) Counts(f finding.Finding) bool {
	if o == nil {
		o = &Options{}
	}
	if o.Severity != "" {
		return f.Severity.AtLeast(o.Severity)
	}
	named := finding.MatchesAny(f.Rule, o.Rules)
	if profile, ok := hosts.Find(finding.Family(f.Rule)); ok && !named && !o.includesHost(profile.ID) {
		return false
	}
	return named || finding.Family(f.Rule) == "SCH" || f.Severity.AtLeast(finding.Error)
}
