package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// Fails reports whether a report is reason for a failing exit. Any SCH finding is, and any error or critical of another
// family. Other findings count where the user asked: by naming rules. What a host does with a tool counts only for the
// hosts, or the rules, that were named. With a severity floor, whatever is not below it counts.
func Fails(report *finding.Report, opts *Options) bool {
	return slices.ContainsFunc(report.Findings(), opts.Counts)
}

// Counts reports whether a finding is reason for a failing exit; see [Fails]. Whoever shows a report asks the same, so
// that it never contradicts the exit.
func (o *Options) Counts(f finding.Finding) bool {
	if o == nil {
		o = &Options{}
	}
	if o.Severity != "" {
		return f.Severity.AtLeast(o.Severity)
	}
	named := finding.MatchesAny(f.Rule, o.Rules)
	if profile, ok := hosts.Find(finding.Family(f.Rule)); ok && !named && !o.wantsHost(profile.ID) {
		return false
	}
	return named || finding.Family(f.Rule) == "SCH" || f.Severity.AtLeast(finding.Error)
}
