package workbench

import (
	"context"
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
		r := &finding.Report{Engine: "lint", Target: "suites", Version: w.Version, Started: time.Now(), Rules: suite.Deprecations(), Results: suite.Lint(plan)}
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
