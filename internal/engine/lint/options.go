package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Options say which rules run and which findings count. The zero value runs what concerns every tool: SCH, SPEC, QUAL,
// SEC, and those rules of the hosts where a host loses the tool or the whole session.
//
// Rules and Skip take ids (SCH-001), families (SEC, copilot) and globs (SCH-*, copilot/*), in any case.
type Options struct {
	Rules    []string         // run only these
	Skip     []string         // and never these
	Protocol string           // the revision to judge by; empty for the newest
	Hosts    []string         // profiles whose rules run and count, or "all"
	Severity finding.Severity // findings below it are dropped, those at or above it count; empty for the usual rule
	Version  string           // of the program, for the report
}

// A SelectionError says which selection means nothing, and what would.
type SelectionError struct{ Problem, Want string }

// Error is both in one line.
func (e *SelectionError) Error() string { return e.Problem + "; want " + e.Want }

// Validate refuses selections that mean nothing, so that a misspelled rule is not taken for a clean run. The error is a
// [*SelectionError].
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	for _, pattern := range slices.Concat(o.Rules, o.Skip) {
		if !slices.ContainsFunc(Rules(), func(r *Rule) bool { return finding.Matches(r.ID, pattern) }) {
			return &SelectionError{fmt.Sprintf("no rule matches %q", pattern), "one of those that mcptest rules lists"}
		}
	}
	for _, host := range o.Hosts {
		if _, ok := hosts.Find(host); !ok && host != "all" {
			return &SelectionError{fmt.Sprintf("there is no host %q", host), "all, or some of " + strings.Join(hosts.IDs(), ", ")}
		}
	}
	if _, ok := spec.Find(o.Protocol); !ok && o.Protocol != "" {
		return &SelectionError{fmt.Sprintf("there is no protocol revision %q", o.Protocol), "one of " + strings.Join(spec.IDs(), ", ")}
	}
	if o.Severity != "" && o.Severity.Rank() == 0 {
		return &SelectionError{fmt.Sprintf("there is no severity %q", o.Severity), "info, warning, error or critical"}
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
	case ofHost && o.wantsHost(profile.ID):
		return true
	case len(o.Rules) > 0:
		return finding.MatchesAny(r.ID, o.Rules)
	case ofHost:
		return len(o.Hosts) == 0 && !profile.OptIn && r.Severity.AtLeast(finding.Error)
	}
	return true
}

func (o *Options) wantsHost(id string) bool {
	return slices.Contains(o.Hosts, "all") || slices.Contains(o.Hosts, id)
}

func (o *Options) revision() spec.Revision {
	if r, ok := spec.Find(o.Protocol); ok {
		return r
	}
	return spec.Newest()
}
