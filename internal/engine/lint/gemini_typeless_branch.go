package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var geminiTypelessBranch = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/typeless-branch",
		Severity: finding.Error,
		Spec:     "https://github.com/zereight/gitlab-mcp/issues/166",
		Doc: `anyOf branch without a type

Each branch must have a type. The API rejects the request.

Add a type to each branch, even if the branch only adds required.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.Keyword == "anyOf" && untyped(place) {
				p.Report(place.Where(), "%s has no type", place.Label())
			}
		}
	},
}
