package suiterun

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A LintInput names suites to scan.
type LintInput struct {
	ValidateInput
	workbench.RuleOptions
}

// Lint finds deprecated protocol features in suites.
var Lint = workbench.Op[LintInput, *workbench.ReportResult]{
	Uses: workbench.Color,
	Name: "lint", Section: workbench.Maintain, Order: 40,
	Doc: "Find deprecated MCP features in suites and suggest replacements\n\n" +
		"Exits with 1 if a suite uses one. This command checks suites; use mcptest schema-lint to check the tools of " +
		"a server.",
	Example: "mcptest lint mcptest.yaml",
	Run: func(_ context.Context, w *workbench.Workbench, in *LintInput) (*workbench.ReportResult, error) {
		if err := in.RuleOptions.Check(); err != nil {
			return nil, err
		}
		plan, _, err := Plan(w, &RunInput{Suite: in.Suite, Paths: in.Paths})
		if err != nil {
			return nil, err
		}
		rules, err := selected(&in.RuleOptions, suite.Deprecations())
		if err != nil {
			return nil, err
		}
		r := &finding.Report{Engine: "lint", Target: "suites", Version: w.Version, Started: time.Now(), Rules: rules,
			Results: suite.Lint(plan)}
		for i := range r.Results {
			r.Results[i].Findings = slices.DeleteFunc(r.Results[i].Findings, func(f finding.Finding) bool {
				return !slices.ContainsFunc(rules, func(rule finding.Rule) bool { return rule.ID == f.Rule })
			})
		}
		judged, err := in.Report(w, r, report.Options{Severity: finding.Severity(in.Severity)})
		if err != nil {
			return nil, err
		}
		for _, f := range r.Findings() {
			judged.Fails = judged.Fails || f.Severity.AtLeast(finding.Severity(in.Severity))
		}
		return judged, nil
	},
	Text: workbench.WriteReport,
}

// selected returns the rules that --rules and --skip leave. A name that matches none is an error.
func selected(in *workbench.RuleOptions, rules []finding.Rule) ([]finding.Rule, error) {
	only, skip := workbench.Commas(in.Rules), workbench.Commas(in.Skip)
	for _, pattern := range slices.Concat(only, skip) {
		if !slices.ContainsFunc(rules, func(r finding.Rule) bool { return finding.Matches(r.ID, pattern) }) {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("no rule matches %q", pattern),
				Hint: "run: {mcptest rules DEP}"}
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r finding.Rule) bool {
		return finding.MatchesAny(r.ID, skip) || len(only) > 0 && !finding.MatchesAny(r.ID, only)
	}), nil
}
