package invoke

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An OutputError means that a tool's structured result violates its output schema. The result is passed on unchanged
// anyway: the tool has been run, and the caller can decide what is usable.
type OutputError struct {
	Tool   string
	Errors []schema.Violation
}

// Error includes the tool and the rules, and no value of the result.
func (e *OutputError) Error() string {
	var parts []string
	for _, v := range e.Errors[:min(len(e.Errors), maxProblems)] {
		place := schema.Label(v.Path)
		if place == "" {
			place = "the whole result"
		}
		parts = append(parts, place+" ("+v.Rule+")")
	}
	if more := len(e.Errors) - maxProblems; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("the result of %s violates its output schema: %s", e.Tool, strings.Join(parts, ", "))
}

// CheckOutput checks a result against the output schema of its tool, and those of the rules for it. A result with
// isError is not checked, and neither is an incomplete one. A schema that cannot be used is not a fault of the result.
func (v *Invoker) CheckOutput(t *catalog.Tool, result json.RawMessage) error {
	schemas := v.outputSchemas(t)
	if len(schemas) == 0 || StatusOf(result) == Failure {
		return nil
	}
	members, err := schema.Members(result)
	if err != nil {
		return nil // no result at all; that is reported elsewhere
	}
	var content json.RawMessage
	for _, m := range members {
		switch {
		case m.Name == "task", m.Name == "resultType" && string(m.Value) != `"complete"`:
			return nil
		case m.Name == "structuredContent":
			content = m.Value
		}
	}
	if content == nil {
		return &OutputError{Tool: t.Key().String(),
			Errors: []schema.Violation{{Path: "/structuredContent", Rule: "required", Expected: "structuredContent",
				Received: "nothing"}}}
	}
	var violations []schema.Violation
	for _, s := range schemas {
		if compiled, err := v.schemas.Compile(s.text, s.options); err == nil {
			violations = append(violations, compiled.Validate(content)...)
		}
	}
	if len(violations) > 0 {
		return &OutputError{Tool: t.Key().String(), Errors: violations}
	}
	return nil
}

// An outputSchema is a schema of a result, and how it is compiled.
type outputSchema struct {
	text    json.RawMessage
	options *schema.Options
}

// outputSchemas lists the schemas of a tool's results: its own, and those of the rules for it.
func (v *Invoker) outputSchemas(t *catalog.Tool) []outputSchema {
	var all []outputSchema
	if len(t.Returns) > 0 && string(t.Returns) != "null" {
		all = append(all, outputSchema{t.Returns, optionsFor(t)})
	}
	for _, rule := range v.rulesFor(t) {
		if rule.Result != nil {
			all = append(all, outputSchema{rule.Result, ruleOptions})
		}
	}
	return all
}
