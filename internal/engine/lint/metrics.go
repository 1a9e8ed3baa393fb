package lint

import (
	"math"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// metrics are the figures that suites assert on: finding counts, description scores, token counts.
func metrics(tools []*Tool, report *finding.Report) map[string]float64 {
	m := map[string]float64{
		"tools": float64(len(tools)), "min_score": 0, "mean_score": 0, "tokens": 0,
		"critical_count": 0, "warning_count": 0, "schema_criticals": 0, "schema_warnings": 0,
	}
	countFindings(m, report)
	if len(tools) == 0 {
		return m
	}
	m["min_score"] = 1
	for _, t := range tools {
		m["min_score"] = min(m["min_score"], t.score.Total)
		m["mean_score"] += t.score.Total
		m["tokens"] += float64(t.tokens)
	}
	m["mean_score"] = math.Round(m["mean_score"]/float64(len(tools))*1000) / 1000
	return m
}

// countFindings counts findings of the SCH family separately: a gate on schemas is opt-in.
func countFindings(m map[string]float64, report *finding.Report) {
	for _, result := range report.Results {
		for _, f := range result.Findings {
			schema := finding.Family(f.Rule) == "SCH"
			switch {
			case f.Severity == finding.Critical && schema:
				m["schema_criticals"]++
			case f.Severity == finding.Critical:
				m["critical_count"]++
			case f.Severity == finding.Warning && schema:
				m["schema_warnings"]++
			case f.Severity == finding.Warning:
				m["warning_count"]++
			}
		}
	}
}
