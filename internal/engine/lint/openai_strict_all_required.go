package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictAllRequired = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/all-required",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `An optional property.

In strict mode every property must be required; one that may be left out is written as one that may be null. The request
is refused.

List every property in required; "schema-lint --fix --fix-mode nullable" does, and lets null in.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			for _, property := range missingRequired(place) {
				p.Report(property.Where(), "%s must be in required", property.Label())
			}
		}
	},
}
