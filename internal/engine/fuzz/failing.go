package fuzz

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// minFailing is the number of valid calls of a tool from which on it matters that all of them failed.
const minFailing = 3

// A FailingTool is a tool of which no call succeeded, so that nothing is known about its results.
type FailingTool struct {
	Name  string
	Calls int    // that the schema allows
	Said  string // what the first of them said: all of it, because a cut secret is not recognized
}

// failing counts the valid calls of a tool that failed, until one call succeeds.
type failing struct {
	calls     int
	said      string
	succeeded bool
}

func (f *failing) count(step Step, s *observation) {
	switch {
	case f.succeeded || step.Cancel:
	case accepted(s):
		f.succeeded = true
	case step.Allowed:
		if f.calls++; f.said == "" {
			f.said = s.errorText()
		}
	}
}

// reportFailing lists the tools of which no call succeeded, except for those whose findings say why.
func (r *runner) reportFailing() (all []FailingTool) {
	for _, t := range r.tools {
		explained := slices.ContainsFunc(r.order, func(key string) bool {
			f := r.found[key]
			return f.Severity.AtLeast(finding.Warning) && f.Steps[len(f.Steps)-1].Tool == t.name
		})
		if f := t.failing; !f.succeeded && f.calls >= minFailing && !explained {
			all = append(all, FailingTool{t.name, f.calls, f.said})
		}
	}
	return all
}
