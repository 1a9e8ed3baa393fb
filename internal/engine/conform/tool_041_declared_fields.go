package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool041 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-041",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#output-schema"),
		Doc: `structuredContent should have the properties that outputSchema declares

The result has properties, but none of those in outputSchema. The schema requires none, so the result is valid, yet every
program that reads a declared property finds nothing: often the names differ in spelling, such as due_date and dueDate, or
the object is wrapped in another one. Use the same names in both, and list what is always present in required.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			tool := nameIn(s.frames[0].Body)
			if s.method != "tools/call" || calls.IsError(s.message.Result) {
				continue
			}
			declared, got := p.outputNames(tool), namesIn(At(s.message.Result, "/structuredContent"))
			if len(declared) == 0 || len(got) == 0 || haveCommon(declared, got) {
				continue
			}
			seen := s.proof()
			seen.Subject, seen.Pointer = tool, "/structuredContent"
			p.once(seen, "structuredContent has no property that outputSchema declares: expected some of %s, got %s",
				quoted(strings.Join(declared, ", ")), quoted(strings.Join(got, ", ")))
		}
		return nil
	},
}

// outputNames returns the properties that the outputSchema of a tool declares; none if it allows others by a pattern, a
// schema or a reference.
func (p *CheckContext) outputNames(tool string) []string {
	for _, item := range p.round.listed() {
		output := At(item.Raw, "/outputSchema")
		if item.Name != tool || output == nil {
			continue
		}
		for _, other := range []string{"/$ref", "/$dynamicRef", "/anyOf", "/oneOf", "/allOf", "/patternProperties", "/if",
			"/dependentSchemas", "/propertyNames"} {
			if At(output, other) != nil {
				return nil
			}
		}
		if schema.Kind(At(output, "/additionalProperties")) == '{' {
			return nil
		}
		return namesIn(At(output, "/properties"))
	}
	return nil
}

// namesIn returns the names of the members of an object.
func namesIn(object json.RawMessage) []string {
	members, _ := schema.Members(object)
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	return names
}

func haveCommon(some, others []string) bool {
	for _, name := range some {
		for _, other := range others {
			if name == other {
				return true
			}
		}
	}
	return false
}
