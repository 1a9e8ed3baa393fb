package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictExternalRef = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/external-ref",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `external $ref

Strict tools support only references inside the schema. The API rejects the request.

Bundle the definition under $defs.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if ref, ok := place.Text("$ref"); ok && place.Doc.leadsOut(ref) {
				p.Report(place.WhereKey("$ref"), "external reference %s", quoted(ref))
			}
		}
	},
}
