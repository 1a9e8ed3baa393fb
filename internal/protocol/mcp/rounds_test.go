package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

const askInput = `{"resultType":"input_required","requestState":"STATE","inputRequests":{"k ` +
	`1":{"method":"elicitation/create","params":{"message":"yes"}},"r":{"method":"roots/list"}}}`

// TestD6 follows a server that asks for input: answers by key, in order, and the state as it came.
func TestD6Rounds(t *testing.T) {
	state := `"a\u0041\/ \ud800` + strings.Repeat("x", 1000) + `"`
	first := strings.Replace(askInput, `"STATE"`, state, 1)
	s, server := play(t, spec.NewestModern, "on tools/call\n\tresult "+first+
		"\non tools/call\n\tresult {\"resultType\":\"input_required\",\"requestState\":{\"n\":1.0}}\non "+
		"tools/call\n\tresult {\"resultType\":\"complete\",\"x\":1.0}\n", answering(Options{}))
	ex, err := s.Call(context.Background(), "tools/call", raw(`{"name":"t","arguments":{"a":1.0}}`))
	if err != nil || string(ex.Reply.Result) != `{"resultType":"complete","x":1.0}` || len(ex.Rounds) != 2 {
		t.Fatalf("%v, %+v", err, ex)
	}
	got := server.Got("tools/call")
	want := `"params":{"name":"t","arguments":{"a":1.0},"inputResponses":{"k 1":{ "action":"accept",` +
		`"content":{"x":9007199254740993}},"r":{"roots":[{"uri":"file:///1.0"}]}},"requestState":` + state +
		`,"_meta":{`
	if !strings.Contains(got[1], want) {
		t.Errorf("the second round sent %s\nwant %s", got[1], want)
	}
	if !strings.Contains(got[2], `"arguments":{"a":1.0},"requestState":{"n":1.0},"_meta"`) {
		t.Errorf("the third round sent %s", got[2])
	}
	for i, body := range got {
		if id := read(body).ID; string(id) == "" || i > 0 && string(id) == string(read(got[i-1]).ID) {
			t.Errorf("round %d has id %s", i, id)
		}
	}
}

func TestD6LargeState(t *testing.T) {
	s, server := playHTTP(t, spec.NewestModern,
		"on tools/call\n\tresult {\"resultType\":\"input_required\",\"requestState\":\"$fill(5000000)\"}\non "+
			"tools/call\n\tresult {}\n", Options{})
	result(t, s, "tools/call", nil)
	if got := server.Got("tools/call")[1]; !strings.Contains(got,
		`"requestState":"`+strings.Repeat("x", 5_000_000)+`"`) {
		t.Errorf("the state came back as %.100s…", got)
	}
}

func TestD6Endings(t *testing.T) {
	for name, tt := range map[string]struct {
		result, want string
		calls        int
		opts         Options
	}{
		"endless": {askInput, "returned input_required 10 times", maxRounds + 1, answering(Options{})},
		"unknown type": {`{"resultType":"later"}`, `resultType "later", which this client does not support`, 1,
			Options{}},
		"no handler": {askInput, "this client does not support elicitation/create", 1, Options{}},
		"bad input": {`{"resultType":"input_required","inputRequests":[1]}`,
			"invalid inputRequests: found an array, expected an object", 1, Options{}},
		"unknown method": {`{"resultType":"input_required","inputRequests":{"a":{"method":"x"}}}`, "does not support x",
			1, answering(Options{})},
		"endless tasks": {`{"resultType":"task","taskId":"t","status":"completed","result":{"resultType":"task",` +
			`"taskId":"t","status":"completed","result":{"resultType":"later"}}}`, `resultType "later"`, 1,
			Options{Tasks: true}},
	} {
		s, server := play(t, spec.NewestModern, "on tools/call\n\tresult "+tt.result+"\n", tt.opts)
		ex, err := s.Call(context.Background(), "tools/call", nil)
		var protocol *ProtocolError
		if !errors.As(err, &protocol) || !strings.Contains(err.Error(), tt.want) || ex == nil {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if got := len(server.Got("tools/call")); got != tt.calls {
			t.Errorf("%s: %d calls, want %d", name, got, tt.calls)
		}
	}
}

// With Manual the caller sees the unfinished result.
func TestManualRound(t *testing.T) {
	s, _ := play(t, spec.NewestModern, "on tools/call\n\tresult "+askInput+"\n", Options{})
	ex, err := s.Do(context.Background(), Request{Method: "tools/call", Manual: true})
	if err != nil || string(ex.Reply.Result) != askInput {
		t.Errorf("%v, %+v", err, ex)
	}
}

// An error is an answer like any other.
func TestErrorsAreData(t *testing.T) {
	for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
		s, _ := play(t, revision, "on x\n\tsend "+
			"{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-5,\"message\":\"m\",\"data\":{\"n\":1.0}}}\n",
			Options{})
		ex, err := s.Call(context.Background(), "x", nil)
		if err != nil || ex.Reply.Error.Code != -5 || string(ex.Reply.Error.Data) != `{"n":1.0}` ||
			ex.Reply.Error.Error() != "error -5: m" {
			t.Errorf("%v, %+v", err, ex)
		}
	}
}
