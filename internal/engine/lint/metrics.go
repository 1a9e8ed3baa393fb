package lint

import (
	"math"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// metrics are the figures that suites assert on: counts of findings, description scores, token weight.
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

// countFindings counts those of the SCH family apart from all others: who wants a gate on schemas declares it, and nobody
// else is held to it.
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
