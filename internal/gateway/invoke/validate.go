package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The outcomes of a validation and of its validators.
const (
	Pass = "PASS"
	Fail = "FAIL"
)

// A Verdict is the result of one validator.
type Verdict struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"` // PASS or FAIL
	Message string `json:"message,omitempty"`
}

// A Validation is the result of checking arguments before a tool is run.
type Validation struct {
	Status     string             `json:"status"` // PASS or FAIL
	Errors     []schema.Violation `json:"errors"`
	Validators []Verdict          `json:"validators"`
}

// A ValidatorFunc is a named validator of the program. An error describes what is wrong with the arguments.
type ValidatorFunc func(ctx context.Context, arguments json.RawMessage) error

// Validate checks arguments against the tool's schema and those of the rules for it and, regardless of the result, with
// all validators in order: those of the tool, then those of the rules.
func (v *Invoker) Validate(ctx context.Context, t *catalog.Tool, arguments json.RawMessage) Validation {
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	out := Validation{Status: Pass, Errors: v.checkSchema(t, arguments), Validators: []Verdict{}}
	validators := t.Validators
	for _, rule := range v.rulesFor(t) {
		out.Errors = append(out.Errors, v.checkAgainst(rule.Arguments, arguments)...)
		validators = append(validators[:len(validators):len(validators)], rule.Validators...)
	}
	if len(out.Errors) > 0 {
		out.Status = Fail
	} else {
		out.Errors = []schema.Violation{}
	}
	for _, validator := range validators {
		verdict := v.validate(ctx, validator, arguments)
		if verdict.Outcome != Pass {
			out.Status = Fail
		}
		out.Validators = append(out.Validators, verdict)
	}
	return out
}

// checkSchema lists the violations of the tool's schema. An invalid schema is left to the server, which also validates;
// one that cannot be resolved or would take too long prevents running the tool. Formats are checked for tools that were
// registered here; servers often declare formats that they do not follow themselves.
func (v *Invoker) checkSchema(t *catalog.Tool, arguments json.RawMessage) []schema.Violation {
	if schema.Kind(arguments) != '{' {
		return []schema.Violation{{Rule: "type", Expected: "object", Received: "another type",
			Message: "the arguments are not an object"}}
	}
	if t.Parameters == nil {
		return nil
	}
	compiled, err := v.schemas.Compile(t.Parameters, optionsFor(t))
	var bad *schema.CompileError
	switch {
	case err == nil:
		return compiled.Validate(arguments)
	case errors.As(err, &bad) && (bad.Kind == schema.Invalid || bad.Kind == schema.BadPattern):
		return nil
	}
	return []schema.Violation{{Rule: "schema", Expected: "a valid schema",
		Message: "cannot validate the arguments: " + err.Error()}}
}

// optionsFor returns how a tool's schemas are compiled.
func optionsFor(t *catalog.Tool) *schema.Options {
	if t.Source == catalog.Registered {
		return &schema.Options{AssertFormat: true}
	}
	return nil
}

// validate runs one validator.
func (v *Invoker) validate(ctx context.Context, validator catalog.Validator, arguments json.RawMessage) (out Verdict) {
	out = Verdict{Name: validator.Name, Outcome: Fail}
	defer func() {
		if p := recover(); p != nil {
			out.Outcome, out.Message = Fail, fmt.Sprintf("the validator failed: %v", p)
		}
	}()
	if validator.Expression == "" {
		return v.validateFunc(ctx, validator.Name, arguments)
	}
	expression, err := v.expressions.get(validator.Expression)
	if err != nil {
		out.Message = err.Error()
		return out
	}
	holds, text, err := expression.Holds(ctx, arguments)
	switch {
	case err != nil:
		out.Message = err.Error()
	case holds:
		out.Outcome = Pass
	default:
		out.Message = text
	}
	return out
}

func (v *Invoker) validateFunc(ctx context.Context, name string, arguments json.RawMessage) Verdict {
	check, ok := v.Validators[name]
	if !ok {
		return Verdict{Name: name, Outcome: Fail, Message: "unknown validator"}
	}
	if err := check(ctx, arguments); err != nil {
		return Verdict{Name: name, Outcome: Fail, Message: err.Error()}
	}
	return Verdict{Name: name, Outcome: Pass}
}

// failure is the error of invalid arguments; nil if they are valid.
func (out Validation) failure(t *catalog.Tool) error {
	if out.Status == Pass {
		return nil
	}
	tool := t.Key().String()
	for _, e := range out.Errors {
		if e.Rule != "type" {
			return &ValidationError{Tool: tool, Errors: out.Errors, Validators: out.Validators}
		}
	}
	if len(out.Errors) == 0 {
		return &ValidationError{Tool: tool, Errors: out.Errors, Validators: out.Validators}
	}
	first := out.Errors[0]
	return &TypeError{Tool: tool, Parameter: schema.Label(first.Path), Expected: first.Expected, Actual: first.Received,
		Errors: out.Errors, Validators: out.Validators}
}

// Check is Validate with the result as an error: a *ValidationError or a *TypeError.
func (v *Invoker) Check(ctx context.Context, t *catalog.Tool, arguments json.RawMessage) error {
	return v.Validate(ctx, t, arguments).failure(t)
}
