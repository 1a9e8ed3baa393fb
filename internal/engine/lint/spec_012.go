package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec012 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-012",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#json-schema-usage"),
		Doc: `external $ref

Implementations must not fetch a network $ref automatically, since a server could make a client call any URL. They
should reject a schema with a reference that they cannot resolve.

Bundle the definition under $defs.`,
	},
	Check: func(p *Pass) {
		for _, doc := range p.Schemas() {
			for _, place := range doc.Subschemas {
				if ref, ok := place.Text("$ref"); ok && doc.leadsOut(ref) {
					p.Report(place.WhereKey("$ref"), "external reference %s must not be fetched", quoted(ref))
				}
			}
		}
	},
}
