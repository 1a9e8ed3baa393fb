package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// ruled runs a tool with rules, and returns the outcome and whether it was run.
func ruled(t *testing.T, rules []Rule, tool catalog.Tool, arguments string,
	run func(ctx context.Context, limit time.Duration) string) (*Outcome, bool, error) {
	t.Helper()
	for i := range rules {
		if err := rules[i].Check(); err != nil {
			t.Fatal(err)
		}
	}
	ran := false
	v := &Invoker{Rules: rules}
	out, err := v.Invoke(t.Context(), Invocation{Tool: &tool, Arguments: json.RawMessage(arguments),
		Upstream: func(ctx context.Context, _ *catalog.UpstreamRun, limit time.Duration) (json.RawMessage, error) {
			ran = true
			return json.RawMessage(run(ctx, limit)), nil
		}})
	return out, ran, err
}

func bankTool(name string) catalog.Tool {
	return catalog.Tool{Server: "bank", Name: name, Source: catalog.FromUpstream,
		Parameters: json.RawMessage(`{"type":"object","required":["amount"]}`),
		Run:        catalog.Run{Upstream: &catalog.UpstreamRun{Server: "bank", Tool: name}}}
}

// Rules add to what a tool checks itself, also for a registered tool that runs a matching one, and for no other.
func TestRulesValidate(t *testing.T) {
	rules := []Rule{{Match: []string{"bank/trans*"},
		Arguments:  json.RawMessage(`{"properties":{"to":{"pattern":"^DE"}}}`),
		Validators: []catalog.Validator{{Name: "limit", Expression: `if .amount > 100 then "over 100" else true end`}}},
		{Match: []string{"bank"},
			Validators: []catalog.Validator{{Name: "whole", Expression: `.amount == (.amount | floor)`}}}}
	wrapper := catalog.Tool{Name: "pay", Source: catalog.Registered,
		Run: catalog.Run{Upstream: &catalog.UpstreamRun{Server: "bank", Tool: "transfer"}}}
	ok := func(context.Context, time.Duration) string { return `{"content":[]}` }
	for _, c := range []struct {
		tool      catalog.Tool
		arguments string
		want      []string // in the error; nil means that the tool is run
	}{
		{bankTool("transfer"), `{"amount":100,"to":"DE1"}`, nil},
		{bankTool("transfer"), `{"amount":101.5,"to":"FR1"}`, []string{"pattern", "limit", "over 100", "whole"}},
		{bankTool("transfer"), `{"to":"DE1"}`, []string{"amount"}},
		{wrapper, `{"amount":101,"to":"DE1"}`, []string{"over 100"}},
		{bankTool("balance"), `{"amount":500,"to":"FR1"}`, nil},
		{bankTool("balance"), `{"amount":0.5}`, []string{"whole"}},
	} {
		_, ran, err := ruled(t, rules, c.tool, c.arguments, ok)
		if ran != (c.want == nil) || (err != nil) == ran {
			t.Errorf("%s %s: run %v, %v", c.tool.Name, c.arguments, ran, err)
			continue
		}
		var invalid *ValidationError
		if errors.As(err, &invalid) {
			about, _ := json.Marshal(invalid)
			for _, want := range c.want {
				if !strings.Contains(string(about)+err.Error(), want) {
					t.Errorf("%s %s: %s, want %q", c.tool.Name, c.arguments, about, want)
				}
			}
		}
	}
}

// The last rule with a timeout applies, before the timeout of the tool.
func TestRulesLimit(t *testing.T) {
	tool := bankTool("transfer")
	tool.Timeout = time.Hour
	rules := []Rule{{Match: []string{"*"}, Timeout: time.Minute}, {Match: []string{"bank"}, Timeout: 2 * time.Minute},
		{Match: []string{"bank/transfer"}}, {Match: []string{"other"}, Timeout: 3 * time.Minute}}
	var got time.Duration
	_, _, err := ruled(t, rules, tool, `{"amount":1}`, func(_ context.Context, limit time.Duration) string {
		got = limit
		return `{}`
	})
	if got != 2*time.Minute || err != nil {
		t.Errorf("timeout %v (%v), want that of the second rule", got, err)
	}
	_, _, err = ruled(t, []Rule{{Match: []string{"bank"}, Timeout: time.Millisecond}}, tool, `{"amount":1}`,
		func(ctx context.Context, _ time.Duration) string { <-ctx.Done(); return `{}` })
	var late *TimeoutError
	if !errors.As(err, &late) || late.Limit != time.Millisecond {
		t.Errorf("%v, want the timeout of the rule", err)
	}
}

// A result that violates the schema of a rule is passed on and recorded.
func TestRulesResult(t *testing.T) {
	rules := []Rule{{Match: []string{"bank"}, Result: json.RawMessage(`{"required":["receipt"]}`)}}
	for content, bad := range map[string]bool{`{"receipt":1}`: false, `{"other":1}`: true} {
		out, _, err := ruled(t, rules, bankTool("transfer"), `{"amount":1}`, func(context.Context, time.Duration) string {
			return `{"content":[],"structuredContent":` + content + `}`
		})
		if err != nil || (out.Mismatch != nil) != bad || !strings.Contains(string(out.Result), content) {
			t.Errorf("%s: %+v %v, want a mismatch: %v", content, out, err, bad)
		}
	}
}

func TestRulesAreChecked(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
	}{
		{Rule{}, "missing match"},
		{Rule{Match: []string{"a//b"}}, "invalid pattern"},
		{Rule{Match: []string{"a"}, Timeout: -1}, "negative"},
		{Rule{Match: []string{"a"}, Validators: []catalog.Validator{{Name: "x"}}}, "expression"},
		{Rule{Match: []string{"a"}, Validators: []catalog.Validator{{Name: "x", Expression: "if"}}}, `validator "x"`},
		{Rule{Match: []string{"a"}, Arguments: json.RawMessage(`{"type":"strin"}`)}, "arguments"},
		{Rule{Match: []string{"a"}, Result: json.RawMessage(`{"$ref":"#/nothing"}`)}, "result"},
	} {
		if err := c.rule.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.rule, err, c.want)
		}
	}
}
