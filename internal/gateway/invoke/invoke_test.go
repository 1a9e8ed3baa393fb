package invoke

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/cputime"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

const transfer = `{"type":"object","properties":{"amount":{"type":"integer","minimum":1},"to":{"type":"string"},` +
	`"note":{"type":"string","maxLength":5}},"required":["amount","to"]}`

// bench is an invoker with one function, whose executions are counted.
func bench(t *testing.T, run Func) (*Invoker, *catalog.Tool, *int, *bytes.Buffer) {
	t.Helper()
	executed, log := new(int), &bytes.Buffer{}
	v := &Invoker{
		Funcs: map[string]Func{"transfer": func(ctx context.Context, arguments json.RawMessage) (json.RawMessage,
			error) {
			*executed++
			return run(ctx, arguments)
		}},
		Log: slog.New(slog.NewTextHandler(log, nil)),
	}
	tool := &catalog.Tool{Name: "transfer", Version: 3, Parameters: json.RawMessage(transfer),
		Run: catalog.Run{Func: "transfer"}}
	return v, tool, executed, log
}

func echo(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	return arguments, nil
}

func TestTC_MTI_001(t *testing.T) { // a successful invocation
	v, tool, executed, log := bench(t, echo)
	out, err := v.Invoke(t.Context(), Invocation{Tool: tool,
		Arguments: json.RawMessage(`{"amount":9007199254740993,"to":"s3cr3t-value"}`), Caller: "ada", Trace: "abc"})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"content":[{"type":"text","text":"{\"amount\":9007199254740993,\"to\":\"s3cr3t-value\"}"}],` +
		`"structuredContent":{"amount":9007199254740993,"to":"s3cr3t-value"}}`; string(out.Result) != want {
		t.Errorf("result = %s, want %s", out.Result, want)
	}
	if out.Status != Success || *executed != 1 {
		t.Errorf("status %s after %d executions, want SUCCESS after 1", out.Status, *executed)
	}
	for _, want := range []string{"level=INFO", "tool=transfer", "duration_ms=", "outcome=SUCCESS", "caller=ada",
		"trace=abc", `amount:number(16)`, `to:string(14)`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log %q has no %q", log, want)
		}
	}
	if strings.Contains(log.String(), "s3cr3t") || strings.Contains(log.String(), "90071") {
		t.Errorf("log %q has a value of an argument", log)
	}
}

func TestTC_MTI_002(t *testing.T) { // missing required parameters
	v, tool, executed, _ := bench(t, echo)
	_, err := v.Invoke(t.Context(), Invocation{Tool: tool})
	var bad *ValidationError
	if !errors.As(err, &bad) {
		t.Fatalf("error %T %v, want a ValidationError", err, err)
	}
	if diff := cmp.Diff(bad.Missing(), []string{"amount", "to"}); diff != "" {
		t.Errorf("missing (-got +want):\n%s", diff)
	}
	if !strings.Contains(err.Error(), "amount") || !strings.Contains(err.Error(), "to") || *executed != 0 {
		t.Errorf("error %q after %d executions, want both names and none", err, *executed)
	}
}

func TestTC_MTI_003(t *testing.T) { // wrong types
	v, tool, executed, _ := bench(t, echo)
	_, err := v.Invoke(t.Context(), Invocation{Tool: tool, Arguments: json.RawMessage(`{"amount":"five","to":"x"}`)})
	var bad *TypeError
	if !errors.As(err, &bad) {
		t.Fatalf("error %T %v, want a TypeError", err, err)
	}
	if bad.Parameter != "amount" || bad.Expected != "integer" || bad.Actual != "string" || *executed != 0 {
		t.Errorf("%+v after %d executions; want amount, integer, string and none", bad, *executed)
	}
	for _, want := range []string{"amount", "integer", "string"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q has no %q", err, want)
		}
	}
}

func TestTC_MTV_001(t *testing.T) { // valid input passes
	v, tool, _, _ := bench(t, echo)
	got := v.Validate(t.Context(), tool, json.RawMessage(`{"amount":1,"to":"x"}`))
	if diff := cmp.Diff(string(mustJSON(t, got)), `{"status":"PASS","errors":[],"validators":[]}`); diff != "" {
		t.Error(diff)
	}
	start := cputime.Used()
	for range 100 {
		v.Validate(t.Context(), tool, json.RawMessage(`{"amount":1,"to":"x"}`))
	}
	if each := (cputime.Used() - start) / 100; each > 5*time.Millisecond {
		t.Errorf("a validation takes %v, want well under 5ms", each)
	}
}

func TestTC_MTV_002(t *testing.T) { // invalid input fails, with every rule
	v, tool, executed, _ := bench(t, echo)
	for _, test := range []struct{ arguments, path, rule, expected, received string }{
		{`{"amount":0,"to":"x"}`, "/amount", "minimum", "at least 1", "0"},
		{`{"amount":1}`, "", "required", "to", "nothing"},
		{`{"amount":1,"to":"x","note":"too long"}`, "/note", "maxLength", "at most 5 characters", "8"},
		{`{"amount":true,"to":"x"}`, "/amount", "type", "integer", "boolean"},
	} {
		got := v.Validate(t.Context(), tool, json.RawMessage(test.arguments))
		if got.Status != Fail || len(got.Errors) != 1 {
			t.Errorf("Validate(%s) = %+v, want FAIL with one error", test.arguments, got)
			continue
		}
		e := got.Errors[0]
		if e.Path != test.path || e.Rule != test.rule || e.Expected != test.expected || e.Received != test.received {
			t.Errorf("Validate(%s) = %+v, want %+v", test.arguments, e, test)
		}
	}
	if got := v.Validate(t.Context(), tool, json.RawMessage(`{"amount":0,"note":"too long"}`)); len(got.Errors) != 3 {
		t.Errorf("errors %+v, want all three", got.Errors)
	}
	if *executed != 0 {
		t.Errorf("%d executions, want none", *executed)
	}
}

func TestTC_MTV_003(t *testing.T) { // validators run in order, all of them, whatever the schema says
	v, tool, executed, _ := bench(t, echo)
	var order []string
	note := func(name string, err error) ValidatorFunc {
		return func(context.Context, json.RawMessage) error { order = append(order, name); return err }
	}
	v.Validators = map[string]ValidatorFunc{"first": note("first", nil),
		"third": note("third", errors.New("not today")), "last": note("last", nil),
		"broken": func(context.Context, json.RawMessage) error { panic("boom") }}
	tool.Validators = []catalog.Validator{{Name: "first"},
		{Name: "limit", Expression: `if .amount > 100 then "amount is over 100" else true end`},
		{Name: "third"}, {Name: "exact", Expression: ".amount == 9007199254740993"}, {Name: "absent"}, {Name: "broken"},
		{Name: "last"}}
	want := []Verdict{{"first", Pass, ""}, {"limit", Fail, "amount is over 100"}, {"third", Fail, "not today"},
		{"exact", Pass, ""},
		{"absent", Fail, "unknown validator"}, {"broken", Fail, "the validator failed: boom"}, {"last", Pass, ""}}
	got := v.Validate(t.Context(), tool, json.RawMessage(`{"amount":9007199254740993}`))
	if diff := cmp.Diff(got.Validators, want); diff != "" {
		t.Errorf("verdicts (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(order, []string{"first", "third", "last"}); diff != "" {
		t.Errorf("order (-got +want):\n%s", diff)
	}
	if got.Status != Fail || len(got.Errors) != 1 {
		t.Errorf("%s with %+v, want FAIL with the missing parameter", got.Status, got.Errors)
	}
	_, err := v.Invoke(t.Context(), Invocation{Tool: tool,
		Arguments: json.RawMessage(`{"amount":9007199254740993,"to":"x"}`)})
	var bad *ValidationError
	if !errors.As(err, &bad) || len(bad.Validators) != 7 || *executed != 0 {
		t.Errorf("error %v after %d executions, want a ValidationError with 7 verdicts and none", err, *executed)
	}
}

func TestTC_MTE_001(t *testing.T) { // a timeout is enforced while the tool runs
	synctest.Test(t, func(t *testing.T) {
		cleaned := false
		v, tool, _, log := bench(t, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			defer func() { cleaned = true }()
			<-ctx.Done()
			return json.RawMessage(`"partial"`), nil
		})
		tool.Timeout = 3 * time.Second
		out, err := v.Invoke(t.Context(), Invocation{Tool: tool, Arguments: json.RawMessage(`{"amount":1,"to":"x"}`)})
		var late *TimeoutError
		if !errors.As(err, &late) || out != nil {
			t.Fatalf("%+v, %v; want no outcome and a TimeoutError", out, err)
		}
		if late.Limit != 3*time.Second || late.Elapsed != 3*time.Second || late.Tool != "transfer" {
			t.Errorf("%+v, want limit and time of 3s and the tool", late)
		}
		synctest.Wait()
		if !cleaned || !strings.Contains(log.String(), "outcome=TimeoutError") {
			t.Errorf("cleaned %v, log %q", cleaned, log)
		}
	})
}

func TestTC_MTE_002(t *testing.T) { // a cancellation stops the tool
	synctest.Test(t, func(t *testing.T) {
		var steps atomic.Int64
		var cleaned atomic.Bool
		v, tool, _, _ := bench(t, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			defer cleaned.Store(true)
			for {
				select {
				case <-ctx.Done():
					return nil, ctx.Err()
				case <-time.After(time.Second):
					steps.Add(1)
				}
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(2500*time.Millisecond, cancel)
		out, err := v.Invoke(ctx, Invocation{Tool: tool, Arguments: json.RawMessage(`{"amount":1,"to":"x"}`)})
		var stopped *CancellationError
		if !errors.As(err, &stopped) || out != nil || stopped.Elapsed != 2500*time.Millisecond {
			t.Fatalf("%+v, %v; want no outcome and a CancellationError after 2.5s", out, err)
		}
		time.Sleep(10 * time.Second)
		if steps.Load() != 2 || !cleaned.Load() {
			t.Errorf("%d steps, cleaned %v; want 2 steps and no more, and the clean-up", steps.Load(), cleaned.Load())
		}
	})
}

func TestTC_MTE_003(t *testing.T) { // an unexpected failure keeps its stack, for the log alone
	v, tool, _, log := bench(t, func(context.Context, json.RawMessage) (json.RawMessage, error) { return burst() })
	_, err := v.Invoke(t.Context(), Invocation{Tool: tool, Arguments: json.RawMessage(`{"amount":1,"to":"hunter2"}`),
		Caller: "ada", Trace: "t1"})
	var failed *ToolExecutionError
	if !errors.As(err, &failed) {
		t.Fatalf("error %T %v, want a ToolExecutionError", err, err)
	}
	if failed.Message != "the pipe burst" || failed.Tool != "transfer" ||
		!strings.Contains(failed.Context, `caller "ada", trace "t1", version 3`) {
		t.Errorf("%+v, want the message, the tool and the context", failed)
	}
	if !strings.Contains(string(failed.Stack), "invoke.burst") || !strings.Contains(log.String(), "invoke.burst") {
		t.Errorf("the stack %.200s does not lead to burst, or the log has none", failed.Stack)
	}
	if strings.Contains(err.Error(), "goroutine") ||
		strings.Contains(err.Error()+failed.Context+log.String(), "hunter2") {
		t.Errorf("error %q tells a stack or a value", err)
	}
}

func burst() (json.RawMessage, error) { panic("the pipe burst") }

func TestUpstreamFailures(t *testing.T) {
	tool := &catalog.Tool{Name: "x", Server: "s",
		Run: catalog.Run{Upstream: &catalog.UpstreamRun{Server: "s", Tool: "x"}}}
	v := &Invoker{}
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("connection lost"), "UpstreamError"},
		{&mcp.RPCError{Code: -32602, Message: "no"}, "ToolExecutionError"},
		{fmt.Errorf("call: %w", &mcp.TimeoutError{Method: "tools/call"}), "TimeoutError"},
	} {
		_, err := v.Invoke(t.Context(), Invocation{Tool: tool,
			Upstream: func(context.Context, *catalog.UpstreamRun, time.Duration) (json.RawMessage, error) {
				return nil, test.err
			}})
		if got := TypeOf(err); got != test.want {
			t.Errorf("%v became %s, want %s", test.err, got, test.want)
		}
	}
	out, err := v.Invoke(t.Context(), Invocation{Tool: tool,
		Upstream: func(context.Context, *catalog.UpstreamRun, time.Duration) (json.RawMessage, error) {
			return json.RawMessage(`{"content":[],"isError": true}`), nil
		}})
	if err != nil || out.Status != Failure {
		t.Errorf("%+v, %v; want the result with status FAILURE", out, err)
	}
}

func TestRunHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"path":%q}`, r.URL.EscapedPath()+"?"+r.URL.RawQuery)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	v := &Invoker{Hosts: []string{host}, Client: server.Client()}
	tool := &catalog.Tool{Name: "h", Run: catalog.Run{HTTP: &catalog.HTTPRun{Method: "GET",
		URL: server.URL + "/users/{id}?q={q}"}}}
	out, err := v.Invoke(t.Context(), Invocation{Tool: tool, Arguments: json.RawMessage(`{"id":"../../@evil","q":12}`)})
	if err != nil || !strings.Contains(string(out.Result),
		`"structuredContent":{"path":"/users/..%2F..%2F%40evil?q=12"}`) {
		t.Errorf("%s, %v", out.Result, err)
	}
	for _, address := range []string{"http://{id}/x", "http://169.254.169.254/x", "file:///etc/passwd",
		"http://" + host + "@evil.example/", "http://user@" + host + "/"} {
		tool.Run.HTTP.URL = address
		if _, err := v.Invoke(t.Context(), Invocation{Tool: tool,
			Arguments: json.RawMessage(`{"id":"evil.example"}`)}); err == nil {
			t.Errorf("%s was reached", address)
		}
	}
}

// Only requests other than GET and HEAD have a body; a status from 400 on is an error, and no error shows the arguments.
func TestRequestsOfTools(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/wrong" {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("Content-Type"), body)
	}))
	host := strings.TrimPrefix(server.URL, "http://")
	v := &Invoker{Hosts: []string{host}, Client: server.Client()}
	call := func(run catalog.HTTPRun) (string, error) {
		out, err := v.Invoke(t.Context(), Invocation{Tool: &catalog.Tool{Name: "h", Run: catalog.Run{HTTP: &run}},
			Arguments: json.RawMessage(`{"id":"canary"}`)})
		if err != nil {
			return "", err
		}
		return string(out.Result), nil
	}
	for want, run := range map[string]catalog.HTTPRun{
		`"GET  "`:                    {URL: server.URL},
		`PUT application/json {\"id`: {Method: "PUT", URL: server.URL},
		`"PUT application/json own"`: {Method: "PUT", URL: server.URL, Body: "own"},
	} {
		if got, err := call(run); !strings.Contains(got, want) || err != nil {
			t.Errorf("%+v: got %s, %v; expected %s", run, got, err, want)
		}
	}
	if _, err := call(catalog.HTTPRun{URL: server.URL + "/wrong"}); err == nil || !strings.Contains(err.Error(), "HTTP 400") {
		t.Errorf("status 400: got %v, expected an error", err)
	}
	server.Close()
	if _, err := call(catalog.HTTPRun{URL: server.URL + "/{id}"}); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("no server: got %v, expected an error without the arguments", err)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
