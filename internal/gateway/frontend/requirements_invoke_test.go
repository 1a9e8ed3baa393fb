package frontend

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

func invokesWithValidParameters(t *testing.T, s *stage) {
	s.register(transferTool)
	got := s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":9007199254740993,"to":"s3cr3t-account"}}`)
	s.wants(got, `"structuredContent":{"amount":9007199254740993,"to":"s3cr3t-account"}`)
	if strings.Contains(got, "isError") || s.runs.Load() != 1 {
		t.Errorf("%s after %d executions, want a success after one", got, s.runs.Load())
	}
	s.wants(s.log.String(), "level=INFO", "tool=transfer", "duration_ms=", "outcome=SUCCESS", "caller=ada",
		"amount:number(16)", "to:string(16)")
	if log := s.log.String(); strings.Contains(log, "s3cr3t") || strings.Contains(log, "90071") {
		t.Errorf("the log %s has a value of an argument", log)
	}
	if diff := cmp.Diff(s.outcomes(), []string{"SUCCESS"}); diff != "" {
		t.Errorf("outcomes (-got +want):\n%s", diff)
	}
}

func tellsMissingParameters(t *testing.T, s *stage) {
	s.register(transferTool)
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{}}`), `"isError":true`, `"type":"ValidationError"`,
		`"rule":"required"`, "missing required: amount, to")
	s.wants(s.call("invoke_tool", `{"name":"transfer"}`), `"type":"ValidationError"`, "amount", "to")
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1}}`), "missing required: to")
	if s.runs.Load() != 0 {
		t.Errorf("%d executions, want none", s.runs.Load())
	}
}

func tellsWrongTypes(t *testing.T, s *stage) {
	s.register(transferTool)
	got := s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":"five","to":"x"}}`)
	s.wants(got, `"isError":true`, `"type":"TypeError"`,
		`{"path":"/amount","rule":"type","expected":"integer","received":"string"`)
	s.wants(got, "amount") // in the message too
	if s.runs.Load() != 0 {
		t.Errorf("%d executions, want none", s.runs.Load())
	}
}

func passesValidInput(t *testing.T, s *stage) {
	s.register(transferTool)
	s.wants(s.call("validate_tool", `{"name":"transfer","arguments":{"amount":1,"to":"x"}}`),
		`"structuredContent":{"status":"PASS","errors":[],"validators":[]}`)
	if s.runs.Load() != 0 {
		t.Errorf("validation executed the tool")
	}
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1,"to":"x"}}`), `{"amount":1,"to":"x"}`)
}

func failsInvalidInputByRule(t *testing.T, s *stage) {
	s.register(transferTool)
	for _, test := range []struct{ arguments, want string }{
		{`{"amount":true,"to":"x"}`, `{"path":"/amount","rule":"type","expected":"integer","received":"boolean"`},
		{`{"amount":0,"to":"x"}`, `{"path":"/amount","rule":"minimum","expected":"at least 1","received":"0"`},
		{`{"amount":1}`, `{"path":"","rule":"required","expected":"to","received":"nothing"`},
		{`{"amount":1,"to":"x","day":"soon"}`, `"path":"/day","rule":"format"`},
		{`{"amount":1,"to":"x","card":"1"}`, `"rule":"dependentRequired"`},
	} {
		s.wants(s.call("validate_tool", `{"name":"transfer","arguments":`+test.arguments+`}`), `"status":"FAIL"`,
			test.want)
		s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":`+test.arguments+`}`), `"isError":true`,
			test.want)
	}
	var all struct{ Errors []json.RawMessage }
	s.structured("validate_tool", `{"name":"transfer","arguments":{"amount":0,"day":"soon"}}`, &all)
	if len(all.Errors) != 3 || s.runs.Load() != 0 {
		t.Errorf("%d errors and %d executions, want all three and none", len(all.Errors), s.runs.Load())
	}
}

func runsAllValidatorsInOrder(t *testing.T, s *stage) {
	s.register(transferTool + `,"validators":[{"name":"first"},{"name":"limit","expression":"if .amount > 100 then ` +
		`\"amount is over 100\" else true end"},{"name":"second"},{"name":"third"}]`)
	want := `"validators":[{"name":"first","outcome":"PASS"},{"name":"limit","outcome":"FAIL","message":"amount is ` +
		`over 100"},` +
		`{"name":"second","outcome":"FAIL","message":"not today"},{"name":"third","outcome":"FAIL","message":"not ` +
		`ever"}]`
	s.wants(s.call("validate_tool", `{"name":"transfer","arguments":{"amount":500,"to":"x"}}`), `"status":"FAIL"`,
		`"errors":[]`, want)
	// whatever the schema says
	s.wants(s.call("validate_tool", `{"name":"transfer","arguments":{"amount":500}}`), `"rule":"required"`, want)
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":500,"to":"x"}}`),
		`"type":"ValidationError"`, want)
	ran := slices.Clone(s.checks)
	if diff := cmp.Diff(ran, slices.Repeat([]string{"first", "second", "third"}, 3)); diff != "" || s.runs.Load() != 0 {
		t.Errorf("%d executions; validators that ran (-got +want):\n%s", s.runs.Load(), diff)
	}
}

func timesOut(t *testing.T, s *stage) {
	s.register(`"name":"slow","timeout":"150ms","run":{"func":"wait"}`)
	var failed struct {
		Type, Tool string
		TimeoutMs  int64 `json:"timeout_ms"`
		ElapsedMs  int64 `json:"elapsed_ms"`
	}
	got := s.call("invoke_tool", `{"name":"slow"}`)
	s.structured("invoke_tool", `{"name":"slow"}`, &failed)
	if failed.Type != "TimeoutError" || failed.Tool != "slow" || failed.TimeoutMs != 150 || failed.ElapsedMs < 150 {
		t.Errorf("%+v, want a TimeoutError of slow after 150 ms", failed)
	}
	if s.wants(got, `"isError":true`); strings.Contains(got, "partial") {
		t.Errorf("a partial result: %s", got)
	}
	soon(t, "the clean-up", s.cleaned)
	soon(t, "the second clean-up", s.cleaned)
}

func cancels(t *testing.T, s *stage) {
	s.register(`"name":"slow","timeout":"1m","run":{"func":"wait"}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { <-s.began; cancel() }()
	ex, err := s.client.Do(ctx, mcp.Request{Method: "tools/call",
		Params: mcp.Object("name", "invoke_tool", "arguments", json.RawMessage(`{"name":"slow"}`))})
	if err == nil || ex != nil && ex.Reply != nil {
		t.Errorf("a cancelled call was answered: %+v", ex)
	}
	soon(t, "the clean-up", s.cleaned)
	eventually(t, "the record of the cancellation",
		func() bool { return slices.Equal(s.outcomes(), []string{"CancellationError"}) })
	eventually(t, "its line in the log", func() bool {
		return strings.Contains(s.log.String(),
			"outcome=CancellationError")
	})
	if s.runs.Load() != 1 {
		t.Errorf("%d executions, want one", s.runs.Load())
	}
}

func wrapsUnexpectedFailures(t *testing.T, s *stage) {
	s.register(`"name":"pipe","run":{"func":"burst"}`)
	got := s.call("invoke_tool", `{"name":"pipe","arguments":{"password":"hunter2"}}`)
	s.wants(got, `"isError":true`, `"type":"ToolExecutionError"`, "pipe failed: the pipe burst", `"tool":"pipe"`,
		`"context":"caller \"ada\", trace`)
	s.wants(s.log.String(), "outcome=ToolExecutionError", "stack=", "frontend.(*stage).burst")
	if strings.Contains(got, "goroutine") || strings.Contains(got, ".go:") ||
		strings.Contains(got+s.log.String(), "hunter2") {
		t.Errorf("a stack or a value was told: %s\n%s", got, &s.log)
	}
	soon(t, "the clean-up", s.cleaned)
	s.register(`"name":"printer","run":{"func":"refuse"}`)
	s.wants(s.call("invoke_tool", `{"name":"printer"}`), `"isError":true`, `"type":"ToolExecutionError"`,
		"printer failed: no paper", `"code":-32603`, `"data":{"tray":2}`, `"context":"caller \"ada\", trace`)
}
