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

// CheckOutput checks a result against the output schema of its tool. A result with isError is not checked, and neither
// is an incomplete one. A schema that cannot be used is not a fault of the result.
func (v *Invoker) CheckOutput(t *catalog.Tool, result json.RawMessage) error {
	if len(t.Returns) == 0 || string(t.Returns) == "null" || StatusOf(result) == Failure {
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
	compiled, err := v.schemas.Compile(t.Returns, optionsFor(t))
	if err != nil {
		return nil
	}
	if violations := compiled.Validate(content); len(violations) > 0 {
		return &OutputError{Tool: t.Key().String(), Errors: violations}
	}
	return nil
}
