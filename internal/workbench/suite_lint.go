package workbench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A SuiteLintInput names suites to scan.
type SuiteLintInput struct {
	SuiteInput
	Judging
}

// SuiteLint finds deprecated protocol features in suites.
var SuiteLint = Op[SuiteLintInput, *Judged]{
	Uses: Color,
	Name: "lint", Doc: "Find deprecated MCP features in suites and suggest replacements\n\n" +
		"Exits with 1 if a suite uses one. This command checks suites; use mcptest schema-lint to check the tools of a server.",
	Example: "mcptest lint mcptest.yaml",
	Run: func(_ context.Context, w *Workbench, in *SuiteLintInput) (*Judged, error) {
		if err := in.Judging.check(); err != nil {
			return nil, err
		}
		plan, _, err := w.plan(&RunInput{Suite: in.Suite, Paths: in.Paths})
		if err != nil {
			return nil, err
		}
		rules, err := in.selected(suite.Deprecations())
		if err != nil {
			return nil, err
		}
		r := &finding.Report{Engine: "lint", Target: "suites", Version: w.Version, Started: time.Now(), Rules: rules, Results: suite.Lint(plan)}
		for i := range r.Results {
			r.Results[i].Findings = slices.DeleteFunc(r.Results[i].Findings, func(f finding.Finding) bool {
				return !slices.ContainsFunc(rules, func(rule finding.Rule) bool { return rule.ID == f.Rule })
			})
		}
		judged, err := in.judged(w, r, report.Options{Severity: finding.Severity(in.Severity)})
		if err != nil {
			return nil, err
		}
		for _, f := range r.Findings() {
			judged.fails = judged.fails || f.Severity.AtLeast(finding.Severity(in.Severity))
		}
		return judged, nil
	},
	Text: writeJudged,
}

// selected returns the rules that --rules and --skip leave. A name that matches none is an error.
func (in *Judging) selected(rules []finding.Rule) ([]finding.Rule, error) {
	only, skip := commas(in.Rules), commas(in.Skip)
	for _, pattern := range slices.Concat(only, skip) {
		if !slices.ContainsFunc(rules, func(r finding.Rule) bool { return finding.Matches(r.ID, pattern) }) {
			return nil, &UsageError{Message: fmt.Sprintf("no rule matches %q", pattern), Hint: "run: {mcptest rules DEP}"}
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r finding.Rule) bool {
		return finding.MatchesAny(r.ID, skip) || len(only) > 0 && !finding.MatchesAny(r.ID, only)
	}), nil
}
