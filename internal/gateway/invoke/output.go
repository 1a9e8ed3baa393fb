package invoke

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An OutputError says that a tool's structured result is not what its schema promises. The result is passed on as it
// came all the same: the tool has been run, and whoever called it can judge what is of use.
type OutputError struct {
	Tool   string
	Errors []schema.Violation
}

// Error names the tool and the rules, and no value of the result.
func (e *OutputError) Error() string {
	var parts []string
	for _, v := range e.Errors[:min(len(e.Errors), shown)] {
		place := schema.Label(v.Path)
		if place == "" {
			place = "the whole"
		}
		parts = append(parts, place+" ("+v.Rule+")")
	}
	if more := len(e.Errors) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("the result of %s is not what its schema promises: %s", e.Tool, strings.Join(parts, ", "))
}

// CheckOutput compares a result with the schema that its tool promises. A result that says that the tool failed promises
// nothing, and neither does one that is not finished. A schema that cannot be used is not the result's fault.
func (v *Invoker) CheckOutput(t *catalog.Tool, result json.RawMessage) error {
	if len(t.Returns) == 0 || string(t.Returns) == "null" || StatusOf(result) == Failure {
		return nil
	}
	members, err := schema.Members(result)
	if err != nil {
		return nil // no result at all; that is told elsewhere
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
		return &OutputError{Tool: t.Key().String(), Errors: []schema.Violation{{Path: "/structuredContent", Rule: "required", Expected: "structuredContent", Received: "nothing"}}}
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
