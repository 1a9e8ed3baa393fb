package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual015 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-015",
		Severity: finding.Info,
		Doc: `low description score

The score of the description is below 0.5. It is the mean of six heuristics: length, words beyond the name, a verb,
described parameters, context (what it returns, when to use it, what it needs), and clean text.

Describe what the tool does, when to use it and what it returns, and describe its parameters.`,
	},
	Check: func(p *Pass) {
		if score := p.Tool.score; p.Tool.Fields != nil && score.Total < 0.5 {
			p.Report("/description", "the description scores %.2f (%s), expected 0.50 or more", score.Total,
				score.weakest())
		}
	},
}

// weakest names the heuristics that score below one half.
func (s Score) weakest() string {
	var weak []string
	for _, h := range []struct {
		name  string
		value float64
	}{
		{"length", s.Length}, {"distinct words", s.Distinct}, {"action", s.Action},
		{"parameters", s.Parameters}, {"context", s.Context}, {"clean text", s.Clean},
	} {
		if h.value < 0.5 {
			weak = append(weak, h.name)
		}
	}
	return "weak in " + strings.Join(weak, ", ")
}
