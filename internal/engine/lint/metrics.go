package lint

import (
	"math"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// metrics are the figures that suites assert on: counts of findings, description scores, token weight.
func metrics(c *Catalog, report *finding.Report) map[string]float64 {
	m := map[string]float64{
		"tools": float64(len(c.Tools)), "min_score": 0, "mean_score": 0, "tokens": 0,
		"critical_count": 0, "warning_count": 0, "schema_criticals": 0, "schema_warnings": 0,
	}
	countFindings(m, report)
	if len(c.Tools) == 0 {
		return m
	}
	m["min_score"] = 1
	for _, t := range c.Tools {
		m["min_score"] = min(m["min_score"], t.score.Total)
		m["mean_score"] += t.score.Total
		m["tokens"] += float64(t.tokens)
	}
	m["mean_score"] = math.Round(m["mean_score"]/float64(len(c.Tools))*1000) / 1000
	return m
}

func countFindings(m map[string]float64, report *finding.Report) {
	for _, f := range report.Findings() {
		switch schema := family(f.Rule) == "SCH"; f.Severity {
		case finding.Critical:
			m["critical_count"]++
			if schema {
				m["schema_criticals"]++
			}
		case finding.Warning:
			m["warning_count"]++
			if schema {
				m["schema_warnings"]++
			}
		}
	}
}
