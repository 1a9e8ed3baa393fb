package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool011 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-011",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `argument of the wrong type must be rejected

A server must validate its input against the schema that it publishes. A tool that accepts a number instead of a string,
or vice versa, does not do what the caller meant.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.wrongCalls(ctx, mistyped, "call with argument %s of the wrong type",
			"has an argument of a simple type")
	},
}

// mistyped returns the arguments of a tool with one of another type than its schema allows, which no conversion makes
// valid.
func mistyped(t Tool) (name string, arguments json.RawMessage) {
	for _, property := range declaredArguments(t.Definition) {
		if kind := schema.TextAt(property.Value, "/type"); kind != "string" && kind != "number" && kind != "integer" &&
			kind != "boolean" {
			continue
		}
		edit := finding.Edit{Pointer: "/" + schema.Token(property.Name),
			Value: json.RawMessage(`{"mcptest":["not","a","scalar"]}`)}
		if changed, err := schema.Apply(t.Arguments, []finding.Edit{edit}); err == nil {
			return property.Name, changed
		}
	}
	return "", nil
}
