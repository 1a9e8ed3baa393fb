package forward

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

func inbound(t *testing.T, text string) *serve.Inbound {
	t.Helper()
	in, bad := serve.ReadInbound([]byte(text))
	if bad != nil {
		t.Fatal(bad)
	}
	return in
}

func request(t *testing.T, method, member, value string) *serve.Inbound {
	t.Helper()
	params, _ := json.Marshal(map[string]string{member: value})
	return inbound(t, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+string(params)+`}`)
}

// A request names the process that has its task or its round, and only that.
func TestHeldBy(t *testing.T) {
	task := NewTaskID("r1")
	for _, c := range []struct{ method, member, value, want string }{
		{"tasks/get", "taskId", task, "r1"},
		{"tasks/update", "taskId", task, "r1"},
		{"tasks/get", "taskId", "other-r1.x", ""},
		{"tasks/get", "requestState", "gateway.r1.x", ""},
		{"tools/call", "taskId", task, ""},
		{"tools/call", "requestState", "gateway.r2.x", "r2"},
		{"tools/call", "requestState", "gateway-at.r3.of the server", "r3"},
		{"tools/call", "requestState", "gateway-at.r3", ""},
		{"tools/call", "requestState", "of the server", ""},
		{"tools/call", "name", "echo", ""},
	} {
		if got := HeldBy(request(t, c.method, c.member, c.value)); got != c.want {
			t.Errorf("%s with %s %q is held by %q, want %q", c.method, c.member, c.value, got, c.want)
		}
	}
}

// The requestState of a server names this process until the client continues, and the server gets its own back.
func TestMarkedState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New("r1")
		asking := json.RawMessage(`{"resultType":"input_required","requestState":"mine"}`)
		modern := &serve.Call{Inbound: request(t, "tools/call", "name", "echo"), Era: spec.Modern}
		marked := f.MarkState(modern, asking)
		state := serve.Text(serve.Members(marked)["requestState"])
		if state != "gateway-at.r1.mine" || f.Unfinished() != 1 {
			t.Errorf("%s, %d unfinished; want the process in requestState and one", marked, f.Unfinished())
		}
		again := &serve.Call{Inbound: request(t, "tools/call", "requestState", state), Era: spec.Modern}
		f.UnmarkState(again)
		if again.Text("requestState") != "mine" || !strings.Contains(string(again.Params), `"mine"`) || f.Unfinished() != 0 {
			t.Errorf("%s, %d unfinished; want the state of the server and none", again.Params, f.Unfinished())
		}
		for _, result := range []string{
			`{"resultType":"complete","requestState":"mine"}`, `{"resultType":"input_required","requestState":""}`,
			`{"resultType":"input_required","requestState":"gateway.r1.x"}`, `{"resultType":"input_required"}`,
		} {
			if got := f.MarkState(modern, json.RawMessage(result)); string(got) != result || f.Unfinished() != 0 {
				t.Errorf("%s became %s, %d unfinished; want no change", result, got, f.Unfinished())
			}
		}
		for about, unmarked := range map[string]json.RawMessage{
			"a legacy client": f.MarkState(&serve.Call{Inbound: modern.Inbound, Era: spec.Legacy}, asking),
			"one process":     New("").MarkState(modern, asking),
		} {
			if string(unmarked) != string(asking) {
				t.Errorf("%s: %s; want no change", about, unmarked)
			}
		}
		f.MarkState(modern, asking)
		time.Sleep(InputTTL + time.Second)
		if got := f.Unfinished(); got != 0 {
			t.Errorf("%d unfinished after the time limit, want 0", got)
		}
	})
}
