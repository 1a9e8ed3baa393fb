package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// Fails reports whether a report is reason for a failing exit. Any SCH finding is, and any error or critical of another
// family. Other findings count where the user asked: by naming rules, or by a severity floor. What a host does with a
// tool counts only for the hosts, or the rules, that were named.
func Fails(report *finding.Report, opts *Options) bool {
	if opts == nil {
		opts = &Options{}
	}
	return slices.ContainsFunc(report.Findings(), func(f finding.Finding) bool { return counts(f, opts) })
}

func counts(f finding.Finding, opts *Options) bool {
	named := matchesAny(f.Rule, opts.Rules)
	if profile, ok := hosts.Find(family(f.Rule)); ok && !named && !opts.wantsHost(profile.ID) {
		return false
	}
	switch {
	case opts.Severity != "":
		return f.Severity.AtLeast(opts.Severity)
	case named, family(f.Rule) == "SCH":
		return true
	}
	return f.Severity.AtLeast(finding.Error)
}
