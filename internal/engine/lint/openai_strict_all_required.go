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
		Doc: `optional property

In strict mode every property must be required; an optional property is declared as nullable instead. The API rejects
the request.

List every property in required. "schema-lint --fix --fix-mode nullable" does this and allows null.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			for _, property := range missingRequired(place) {
				p.Report(property.Where(), "%s must be in required", property.Label())
			}
		}
	},
}
