package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Options select the rules to run and the findings that count. The zero value runs the rules that concern every tool:
// SCH, SPEC, QUAL, SEC, and the host rules for faults that lose the tool or the whole session.
//
// Rules and Skip take IDs (SCH-001), families (SEC, copilot) and globs (SCH-*, copilot/*), ignoring case.
type Options struct {
	Rules    []string         // run only these
	Skip     []string         // skip these
	Protocol string           // the revision to check against; empty for the newest
	Hosts    []string         // profiles whose rules run and count, or "all"
	Severity finding.Severity // findings below it are dropped, those at or above it count; empty for the usual rule
	Version  string           // of the program, for the report
}

// A SelectionError reports an invalid selection and the valid values.
type SelectionError struct{ Problem, Want string }

// Error returns both in one line.
func (e *SelectionError) Error() string { return e.Problem + ", expected " + e.Want }

// Validate rejects invalid selections, so that a misspelled rule is not mistaken for a clean run. The error is a
// [*SelectionError].
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	for _, pattern := range slices.Concat(o.Rules, o.Skip) {
		if !slices.ContainsFunc(Rules(), func(r *Rule) bool { return finding.Matches(r.ID, pattern) }) {
			return &SelectionError{fmt.Sprintf("no rule matches %q", pattern), "a rule listed by mcptest rules"}
		}
	}
	for _, host := range o.Hosts {
		if _, ok := hosts.Find(host); !ok && host != "all" {
			return &SelectionError{fmt.Sprintf("unknown host %q", host),
				"all, or any of " + strings.Join(hosts.IDs(), ", ")}
		}
	}
	if _, ok := spec.Find(o.Protocol); !ok && o.Protocol != "" {
		return &SelectionError{fmt.Sprintf("unknown protocol revision %q", o.Protocol),
			"one of " + strings.Join(spec.IDs(), ", ")}
	}
	if o.Severity != "" && o.Severity.Rank() == 0 {
		return &SelectionError{fmt.Sprintf("unknown severity %q", o.Severity), "info, warning, error or critical"}
	}
	return nil
}

// selected lists the rules to run.
func (o *Options) selected() []*Rule {
	return slices.DeleteFunc(Rules(), func(r *Rule) bool { return !o.runs(r) })
}

func (o *Options) runs(r *Rule) bool {
	if finding.MatchesAny(r.ID, o.Skip) {
		return false
	}
	profile, ofHost := hosts.Find(r.Family())
	switch {
	case ofHost && o.includesHost(profile.ID):
		return true
	case len(o.Rules) > 0:
		return finding.MatchesAny(r.ID, o.Rules)
	case ofHost:
		return len(o.Hosts) == 0 && !profile.OptIn && r.Severity.AtLeast(finding.Error)
	}
	return true
}

func (o *Options) includesHost(id string) bool {
	return slices.Contains(o.Hosts, "all") || slices.Contains(o.Hosts, id)
}

func (o *Options) revision() spec.Revision {
	if r, ok := spec.Find(o.Protocol); ok {
		return r
	}
	return spec.Newest()
}
