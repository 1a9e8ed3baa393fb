package frontend

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// The state of an unfinished call is good once, for its caller, for the call that it came from.
func TestE3RequestStates(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"ask":   func(c *toyCall) string { return text(strings.ReplaceAll(c.ask("elicitation/create"), `"`, "'")) },
		"other": echoing}})})
	able := mcp.Options{Elicitation: func(context.Context, json.RawMessage) (json.RawMessage,
		error) {
		return json.RawMessage(`{}`), nil
	}}
	ada, eve := r.dial(t, "2026-07-28", "ada", able), r.dial(t, "2026-07-28", "eve", able)
	names(t, ada)
	begin := func() string {
		result := serve.Members(json.RawMessage(rawCall(t, ada, "tools/call", `{"name":"a__ask"}`)))
		if serve.Text(result["resultType"]) != "input_required" {
			t.Fatalf("%s, want a question", result)
		}
		return serve.Text(result["requestState"])
	}
	back := func(who *mcp.Session, tool, state string) string {
		return rawCall(t, who, "tools/call", `{"name":"`+tool+`","requestState":"`+state+
			`","inputResponses":{"question":{"action":"accept","content":{"name":"Ada"}}}}`)
	}
	state := begin()
	refused := back(eve, "a__ask", state)
	forged := back(ada, "a__ask", "gateway."+strings.Repeat("A", len(state)-len("gateway.")))
	if !strings.Contains(refused, "-32602") || refused != forged {
		t.Errorf("eve: %s, forged: %s; want the same refusal", refused, forged)
	}
	if got := back(ada, "a__other", state); strings.Contains(got, "Ada") && !strings.Contains(got, "-32602") {
		t.Errorf("the state was good for another tool: %s", got)
	}
	if got := back(ada, "a__ask", state); !strings.Contains(got, "{'name':'Ada'}") {
		t.Errorf("ada: %s, want her answer", got)
	}
	if got := back(ada, "a__ask", state); got != refused {
		t.Errorf("a second time: %s, want %s", got, refused)
	}
}

// What is not fetched in time is gone.
func TestE3HandlesExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b taskStore
		made := &task{caller: "ada", server: "s", own: "1"}
		b.add(made, 2*time.Minute)
		if b.find(made.id, "ada") == nil || b.find(made.id, "eve") != nil {
			t.Error("a task is its caller's alone, while it lasts")
		}
		time.Sleep(2*time.Minute + time.Second)
		if b.find(made.id, "ada") != nil || len(b.of("ada")) != 0 {
			t.Error("a task can be asked about after its time")
		}
		if b.room("ada"); len(b.all)+len(b.byOwn) != 0 {
			t.Error("a task is remembered after its time")
		}
		for range maxTasks {
			b.add(&task{caller: "ada", server: "s", own: time.Now().String()}, time.Hour)
			time.Sleep(time.Millisecond)
		}
		if b.room("ada") == nil || b.room("bob") != nil {
			t.Error("one caller's tasks are bounded, and take no room of another's")
		}
	})
}

// One session cannot end what another has subscribed to.
func TestE3Subscriptions(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"d": {Serve: builtin(t)}})
	heard := make(chan string, 10)
	ada := r.dial(t, "2025-11-25", "ada", mcp.Options{OnNotification: func(m mcp.Message) {
		if m.Method == resourceUpdated {
			heard <- string(m.Params)
		}
	}})
	eve := r.dial(t, "2025-11-25", "eve", mcp.Options{})
	for _, step := range []struct {
		who    *mcp.Session
		method string
	}{{ada, "resources/subscribe"}, {eve, "resources/unsubscribe"}} {
		if got := rawCall(t, step.who, step.method, `{"uri":"demo://note#gateway=d"}`); got != "{}" {
			t.Fatalf("%s: %s", step.method, got)
		}
	}
	call(t, eve, "d__write_note", `{"text":"hello"}`)
	soon(t, "ada's update", heard)
}
