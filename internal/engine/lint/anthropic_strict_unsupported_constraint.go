package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictUnsupportedConstraint = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/unsupported-constraint",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `unsupported keyword

Limits on length, value and size are not supported, nor are patternProperties and similar keywords. The API rejects the
request, unless an SDK moves them into the description first.

Describe the constraint in the description.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		reportKeywords(p, []string{
			"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
			"maxItems",
			"uniqueItems", "contains", "patternProperties", "propertyNames", "minProperties", "maxProperties",
			"unevaluatedProperties", "unevaluatedItems", "not", "if", "then", "else", "dependentRequired",
			"dependentSchemas",
		}, "%s is not supported")
	},
}
