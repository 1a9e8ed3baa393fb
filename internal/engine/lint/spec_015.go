package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec015 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-015",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#custom-headers-from-tool-parameters"),
		Doc: `invalid x-mcp-header name

The value of x-mcp-header becomes part of an HTTP header, so it must be a non-empty token of RFC 9110. HTTP clients must
skip a tool whose x-mcp-header is invalid.

Use letters, digits and hyphens.`,
	},
	Check: func(p *Pass) {
		for _, place := range headerSubschemas(p) {
			value, _ := place.Get("x-mcp-header")
			name, isText := schema.Text(value)
			if !isText {
				p.Report(place.WhereKey("x-mcp-header"), "x-mcp-header is %s, expected a string", kindName(value))
			} else if !isToken(name) {
				p.Report(place.WhereKey("x-mcp-header"),
					"x-mcp-header %s is not a header name, expected an RFC 9110 token", quoted(name))
			}
		}
	},
}

// headerSubschemas lists the places with an x-mcp-header, in revisions that support it.
func headerSubschemas(p *Pass) []*Subschema {
	if !p.Revision.Tool.Headers {
		return nil
	}
	var found []*Subschema
	for _, place := range p.Subschemas() {
		if place.Has("x-mcp-header") {
			found = append(found, place)
		}
	}
	return found
}

// isToken reports whether s is a token as RFC 9110 defines it for field names.
func isToken(s string) bool {
	return s != "" && strings.Trim(s,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~") == ""
}
