package invoke

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/expression"
	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Rule applies to tools by their names, in addition to what the tools define themselves.
type Rule struct {
	Match      []string // patterns as those of callers: server or server/tool, with * as a wildcard
	Timeout    time.Duration
	Validators []catalog.Validator
	Arguments  json.RawMessage // the schema of the arguments; nil means none
	Result     json.RawMessage // the schema of the structured content; nil means none
}

// Check returns why a rule can never be applied; nil if it can.
func (r *Rule) Check() error {
	if len(r.Match) == 0 {
		return fmt.Errorf("missing match: expected server or server/tool")
	}
	for _, pattern := range r.Match {
		if !access.ValidPattern(pattern) {
			return fmt.Errorf("invalid pattern %q: expected server or server/tool", pattern)
		}
	}
	if r.Timeout < 0 {
		return fmt.Errorf("timeout must not be negative")
	}
	for _, validator := range r.Validators {
		if validator.Name == "" || validator.Expression == "" {
			return fmt.Errorf("validator %q: expected a name and an expression", validator.Name)
		}
		if _, err := expression.Compile(validator.Expression); err != nil {
			return fmt.Errorf("validator %q: %w", validator.Name, err)
		}
	}
	for name, text := range map[string]json.RawMessage{"arguments": r.Arguments, "result": r.Result} {
		if text == nil {
			continue
		}
		if _, err := new(schema.Cache).Compile(text, ruleOptions); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// ruleOptions are how the schemas of rules are compiled: the operator wrote them, so formats are meant.
var ruleOptions = &schema.Options{AssertFormat: true}

// applies reports whether a rule is for a tool, or for the tool of a server that it runs: a registered tool does not
// bypass the rules of the tool behind it.
func (r *Rule) applies(t *catalog.Tool) bool {
	if access.Matches(r.Match, t.Server, t.Name) {
		return true
	}
	run := t.Run.Upstream
	return run != nil && access.Matches(r.Match, run.Server, run.Tool)
}

// rulesFor lists the rules for a tool.
func (v *Invoker) rulesFor(t *catalog.Tool) []*Rule {
	rules := v.now().Rules
	var all []*Rule
	for i := range rules {
		if rules[i].applies(t) {
			all = append(all, &rules[i])
		}
	}
	return all
}

// limitOf is the timeout of a tool: of the last rule that sets one, or its own, or the default.
func (v *Invoker) limitOf(t *catalog.Tool) time.Duration {
	limit := t.Timeout
	for _, r := range v.rulesFor(t) {
		if r.Timeout > 0 {
			limit = r.Timeout
		}
	}
	if limit == 0 {
		limit = v.Limit()
	}
	return limit
}

// checkAgainst lists the violations of a rule's schema. One that cannot be used, although it was checked, rejects all
// arguments.
func (v *Invoker) checkAgainst(rule, value json.RawMessage) []schema.Violation {
	if rule == nil {
		return nil
	}
	compiled, err := v.schemas.Compile(rule, ruleOptions)
	if err != nil {
		return []schema.Violation{{Rule: "schema", Expected: "a valid schema", Message: "cannot validate: " + err.Error()}}
	}
	return compiled.Validate(value)
}
