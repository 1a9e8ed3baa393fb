package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictOptionalBudget = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/optional-budget",
		Severity: finding.Error,
		Spec:     "https://github.com/firebase/genkit/issues/5230",
		Doc: `too many optional parameters in total

All strict tools of a request may have 24 optional parameters in total, because each one nearly doubles the grammar.
Above that limit, the API rejects the request.

Make parameters required and nullable, or offer fewer tools as strict.`,
	},
	Whole:  true,
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		optional := 0
		for _, t := range p.Tools {
			optional += t.optional
		}
		if optional > 24 {
			p.ReportTool(nil, "", nil, "the tools have %d optional parameters in total, expected at most 24", optional)
		}
	},
}
