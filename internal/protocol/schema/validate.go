package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// Validate lists all violations of the schema by a value, sorted by path and rule; nil means that it is valid.
// A value that is not JSON, or whose validation would exceed the limits, is one violation of [RuleLimit] or of
// the rule "json". Numbers are compared exactly, whatever their size.
func (s *Schema) Validate(instance json.RawMessage) []Violation {
	if len(instance) > s.limits.ValueBytes {
		return refuse("at most %d bytes", s.limits.ValueBytes, "%d bytes", len(instance))
	}
	if s.flat != nil && s.flat.accepts(instance) {
		return nil
	}
	if _, err := prescan(instance, s.limits.ValueDepth); err != nil {
		return []Violation{{Rule: RuleLimit, Expected: "a value with limited nesting and number length",
			Message: "not checked: " + err.Error()}}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
	if err != nil {
		return []Violation{{Rule: "json", Expected: "JSON", Message: "not valid JSON: " + err.Error()}}
	}
	if !s.affordable(value) {
		return refuse("a validation of at most %d steps", s.limits.Work, "more%.0d", 0)
	}
	return s.validate(value)
}

func refuse(expected string, limit int, received string, count int) []Violation {
	v := Violation{Rule: RuleLimit, Expected: fmt.Sprintf(expected, limit), Received: fmt.Sprintf(received, count)}
	v.Message = fmt.Sprintf("not checked: expected %s, received %s", v.Expected, v.Received)
	return []Violation{v}
}

func (s *Schema) validate(value any) (violations []Violation) {
	defer func() {
		if broken := recover(); broken != nil {
			violations = []Violation{{Rule: RuleLimit, Message: fmt.Sprintf("not checked: %v", broken)}}
		}
	}()
	if len(s.NonRE2) > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		*s.slow = matchBudgetTimer{}
	}
	r := reporter{root: value}
	var tree *jsonschema.ValidationError
	if errors.As(s.compiled.Validate(value), &tree) {
		r.collect(tree)
	}
	return atMost(sortViolations(s.withoutTimeouts(r.violations)), r.omitted)
}

// withoutTimeouts replaces violations that the backtracking engine could not decide by a RuleLimit violation.
func (s *Schema) withoutTimeouts(violations []Violation) []Violation {
	if len(s.NonRE2) == 0 || s.slow.pattern == "" {
		return violations
	}
	undecided := func(v Violation) bool {
		return v.Rule == "pattern" && slices.ContainsFunc(s.NonRE2, func(p NonRE2Pattern) bool {
			return v.Expected == "a string that matches "+p.Pattern
		})
	}
	violations = slices.DeleteFunc(violations, undecided)
	return append(violations, Violation{Rule: RuleLimit,
		Expected: "a pattern that can be matched within the time limit", Received: s.slow.pattern,
		Message: fmt.Sprintf("not checked: the pattern %s takes too long to match", clip.Text(s.slow.pattern, 80))})
}
