package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictUnsupportedKeyword = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/unsupported-keyword",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `unsupported keyword

allOf, not, if, the dependent keywords, patternProperties, uniqueItems and similar keywords are not part of the subset
that strict mode supports. The API rejects the request.

Describe the constraint in the description, or use other keywords.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		reportKeywords(p, []string{
			"allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies",
			"uniqueItems", "contains",
			"patternProperties", "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties",
			"unevaluatedItems",
		}, "%s is not supported")
	},
}
