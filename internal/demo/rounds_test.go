package demo

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

const elicits = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}`

// suspendedState starts a call of ask_user and returns the state to carry.
func suspendedState(t *testing.T, w *wire, call string) string {
	t.Helper()
	got := w.ask(modernRequest("1", "tools/call", call, elicits))
	var r struct {
		ResultType, RequestState string
		InputRequests            map[string]struct {
			Method string
			Params map[string]any
		}
	}
	json.Unmarshal(got.Result, &r)
	if r.ResultType != "input_required" || r.RequestState == "" || r.InputRequests["answer"].Method == "" ||
		strings.Contains(got.raw, `"ttlMs"`) {
		t.Fatalf("first round = %s; want input_required", got.raw)
	}
	if _, has := r.InputRequests["answer"].Params["elicitationId"]; has {
		t.Errorf("elicitationId in the modern era: %s", got.raw)
	}
	return r.RequestState
}

func TestRounds(t *testing.T) {
	const call = `"name":"ask_user","arguments":{"question":"Who?"},`
	const same = `"arguments":{ "question" : "Who\u003f" },"name":"ask_user",`
	const other = `"name":"ask_user","arguments":{"question":"What?"},`
	const accepted = `"inputResponses":{"answer":{"action":"accept","content":{"name":"Ada"}},` +
		`"more":{"action":"cancel"}},`
	w := dial(t, "demo")
	state := suspendedState(t, w, call)
	carried := func(s string) string { return `"requestState":"` + s + `",` }
	flipped := strings.Replace(state, state[:1], string(state[0]^1), 1)
	for _, c := range []struct {
		name, params string
		code         int
		want         string
	}{
		{"right", call + accepted + carried(state), 0, "Hello, Ada."},
		{"spelt differently", same + accepted + carried(state), 0, "Hello, Ada."},
		{"declined", call + `"inputResponses":{"answer":{"action":"decline"}},` + carried(state), 0,
			"The user chose to decline."},
		{"form not filled", call + `"inputResponses":{"answer":{"action":"accept","content":{"color":"pink"}}},` +
			carried(state), 0, "Invalid form data"},
		{"no responses", call + carried(state), 0, "input_required"},
		{"no state", call + accepted, 0, "input_required"},
		{"state changed", call + accepted + carried(flipped), serve.CodeInvalidParams, ""},
		{"state cut", call + accepted + carried(state[:len(state)-4]), serve.CodeInvalidParams, ""},
		{"state of another call", other + accepted + carried(state), serve.CodeInvalidParams, ""},
		{"state of another tool", `"name":"ask_model","arguments":{"prompt":"x"},` + accepted + carried(state),
			serve.CodeInvalidParams, ""},
		{"answer to another value", call + `"inputResponses":{"answer":{"roots":[]}},` + carried(state),
			serve.CodeInvalidParams, ""},
		{"answer of no kind", call + `"inputResponses":{"answer":{}},` + carried(state), serve.CodeInvalidParams, ""},
	} {
		got := w.ask(modernRequest("2", "tools/call", c.params, elicits))
		if got.code() != c.code || !strings.Contains(got.raw, c.want) {
			t.Errorf("%s: %s; want code %d and %q", c.name, got.raw, c.code, c.want)
		}
	}
	for _, call := range []string{`"name":"visit_page","arguments":{"topic":"payment"},`,
		`"name":"ask_model","arguments":{"prompt":"x"},`, `"name":"list_roots",`} {
		suspendedState(t, w, call)
	}
}

func TestQuestionsNeedTheirCapability(t *testing.T) {
	w := dial(t, "demo")
	for call, need := range map[string]string{
		`"name":"ask_user","arguments":{"question":"?"},`:      `{"requiredCapabilities":{"elicitation":{"form":{}}}}`,
		`"name":"visit_page","arguments":{"topic":"payment"},`: `{"requiredCapabilities":{"elicitation":{"url":{}}}}`,
		`"name":"ask_model","arguments":{"prompt":"x"},`:       `{"requiredCapabilities":{"sampling":{}}}`,
		`"name":"list_roots",`:                                 `{"requiredCapabilities":{"roots":{}}}`,
	} {
		if got := w.ask(modernRequest("1", "tools/call", call, `{}`)); got.code() != serve.CodeMissingCapability ||
			string(got.Error.Data) != need {
			t.Errorf("%s: %s; want %d with %s", call, got.raw, serve.CodeMissingCapability, need)
		}
	}
}

// TestLegacyQuestions answers the server's own requests by hand, also with an error.
func TestLegacyQuestions(t *testing.T) {
	w := dial(t, "demo")
	w.ask(initialize(spec.November2025, elicits))
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"visit_page",` +
		`"arguments":{"topic":"sign-in"}}}`
	q := w.ask(call)
	if q.Method != "elicitation/create" || !strings.Contains(q.raw, `"elicitationId"`) ||
		!strings.Contains(q.raw, `"mode":"url"`) {
		t.Fatalf("question = %s", q.raw)
	}
	if got := w.ask(`{"jsonrpc":"2.0","id":` + string(q.ID) +
		`,"result":{"action":"accept"}}`); got.Method != "notifications/elicitation/complete" {
		t.Errorf("after the answer: %s; want the completion", got.raw)
	}
	if got := readReply(t, w.recv()); got.text() != "The user agreed to visit the page." {
		t.Errorf("result = %s", got.raw)
	}
	q = w.ask(call)
	got := w.ask(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"error":{"code":-1,"message":"no user here"}}`)
	if !strings.Contains(got.raw, `"isError":true`) || !strings.Contains(got.text(), "no user here") {
		t.Errorf("after an error of the client: %s; want isError with its reason", got.raw)
	}
}
