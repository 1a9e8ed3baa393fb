package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// shop is a gateway before one worker of each era.
func shop(t *testing.T) (r *rig, older, newer *worker) {
	t.Helper()
	older, newer = &worker{}, &worker{newer: true}
	r = newRig(t, All, nil, map[string]wire.Target{"old": {Serve: older.serve}, "new": {Serve: newer.serve}})
	s := r.dial(t, "2025-11-25", "nobody", mcp.Options{})
	eventually(t, "the tools", func() bool { return len(names(t, s)) == 4 })
	return r, older, newer
}

// A task passes between clients and servers of either era; its result is the server's own.
func TestTasks(t *testing.T) {
	r, older, newer := shop(t)
	for _, protocol := range protocols {
		for name, w := range map[string]*worker{"old": older, "new": newer} {
			s := r.dial(t, protocol, "ada", mcp.Options{Tasks: true})
			w.mu.Lock()
			next := fmt.Sprint(len(w.tasks) + 1)
			w.mu.Unlock()
			go func() {
				eventually(t, "the task", func() bool { w.mu.Lock(); defer w.mu.Unlock(); return w.tasks[next] != nil })
				w.finish(next)
			}()
			ex, err := s.Do(t.Context(), mcp.Request{Method: "tools/call", Params: mcp.Object("name", name+"__work"),
				Task: true})
			if err != nil || ex.Reply.Error != nil ||
				!strings.Contains(string(ex.Reply.Result), `"text":"did `+next+`"}],"n":1.0`) {
				t.Errorf("%s at %s: %v %+v, want the result of task %s", protocol, name, err, ex, next)
				continue
			}
			if len(ex.Rounds) == 0 && protocol == "2025-11-25" {
				t.Errorf("%s at %s: no task was made", protocol, name)
			}
		}
	}
}

// A tool that no server runs is no task; wanting one of it is refused, as the protocol has it.
func TestNoTaskOfAFunction(t *testing.T) {
	s := newStage(t, "2025-11-25")
	s.register(`"name":"plain","run":{"func":"echo"}`)
	if got := rawCall(t, s.client, "tools/call",
		`{"name":"invoke_tool","arguments":{"name":"plain"},"task":{}}`); !strings.Contains(got, "-32601") ||
		s.runs.Load() != 0 {
		t.Errorf("%s after %d executions, want it refused", got, s.runs.Load())
	}
}

// A task that asks reaches its client, in the way of the client's era.
func TestTasksAsk(t *testing.T) {
	r, _, _ := shop(t)
	for _, protocol := range protocols {
		for _, name := range []string{"old", "new"} {
			s := r.dial(t, protocol, "ada", mcp.Options{Tasks: true,
				Elicitation: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
					return json.RawMessage(`{"action":"accept","content":{"name":"Ada ` + protocol + `"}}`), nil
				}})
			ex, err := s.Do(t.Context(), mcp.Request{Method: "tools/call", Params: mcp.Object("name", name+"__ask"),
				Task: true})
			if err != nil || ex.Reply.Error != nil ||
				!strings.Contains(string(ex.Reply.Result), "hello Ada "+protocol) {
				t.Errorf("%s at %s: %v %+v, want the answer of the client", protocol, name, err, ex)
			}
		}
	}
}

// A client that knows no tasks gets the result all the same, where its era lets the gateway follow the task.
func TestTasksOfClientsThatKnowNone(t *testing.T) {
	r, older, newer := shop(t)
	for _, test := range []struct {
		protocol, name string
		at             *worker
	}{{"2026-07-28", "old", older}, {"2025-11-25", "new", newer}} {
		go func() {
			eventually(t, "the task",
				func() bool { test.at.mu.Lock(); defer test.at.mu.Unlock(); return test.at.tasks["1"] != nil })
			test.at.finish("1")
		}()
		if got := call(t, r.dial(t, test.protocol, "ada", mcp.Options{}), test.name+"__work",
			`{}`); !strings.Contains(got, "did 1") {
			t.Errorf("%s at %s: %s, want the result", test.protocol, test.name, got)
		}
	}
}

// Ids of tasks are unique over servers and good for their caller alone; what is made up is refused in the same words
// (E3).
func TestE3Tasks(t *testing.T) {
	r, older, newer := shop(t)
	const known = `"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"` + mcp.TasksExtension + `":{}}}}`
	for _, protocol := range protocols {
		ada, eve := r.dial(t, protocol, "ada", mcp.Options{Tasks: true}),
			r.dial(t, protocol, "eve", mcp.Options{Tasks: true})
		ids := map[string]bool{}
		for _, name := range []string{"old__work", "new__work", "old__work"} {
			created := rawCall(t, ada, "tools/call", `{"name":"`+name+`","task":{"ttl":60000},`+known+`}`)
			id := serve.Text(serve.Members(json.RawMessage(created))["taskId"])
			if id == "" {
				id = serve.Text(serve.Members(serve.Members(json.RawMessage(created))["task"])["taskId"])
			}
			if ids[id] || len(id) < 20 {
				t.Fatalf("%s: %s made task %q: %s, want a new id that cannot be guessed", protocol, name, id, created)
			}
			ids[id] = true
			about := `{"taskId":"` + id + `",` + known + `}`
			if got := rawCall(t, ada, "tasks/get", about); !strings.Contains(got, `"status":"working"`) ||
				!strings.Contains(got, id) {
				t.Errorf("%s: ada's own task: %s", protocol, got)
			}
			for _, method := range []string{"tasks/get", "tasks/cancel"} {
				foreign := rawCall(t, eve, method, about)
				forged := rawCall(t, ada, method, `{"taskId":"task-AAAAAAAAAAAAAAAAAAAAAAAAAA",`+known+`}`)
				own := rawCall(t, ada, method, `{"taskId":"1",`+known+`}`)
				if !strings.Contains(foreign, "-32602") ||
					!strings.Contains(foreign, "route all requests of a client to the same one") || foreign != forged ||
					foreign != own {
					t.Errorf("%s: %s by eve: %s, forged: %s, the server's own: %s; want the same refusal", protocol,
						method, foreign, forged, own)
				}
			}
			rawCall(t, ada, "tasks/cancel", about)
			if got := rawCall(t, ada, "tasks/get", about); !strings.Contains(got, `"status":"cancelled"`) {
				t.Errorf("%s: after the cancellation: %s", protocol, got)
			}
		}
		if protocol == "2025-11-25" {
			for who, want := range map[*mcp.Session]int{ada: 3, eve: 0} {
				if got := rawCall(t, who, "tasks/list", `{}`); strings.Count(got, `"taskId"`) != want ||
					strings.Count(got, `"cancelled"`) != want {
					t.Errorf("listed %s, want %d tasks", got, want)
				}
			}
		}
	}
	for _, w := range []*worker{older, newer} {
		for _, j := range w.tasks {
			if j.status != "cancelled" {
				t.Errorf("task %s at its server is %s, want it cancelled", j.id, j.status)
			}
		}
	}
}

// What a server tells about a task reaches the session that made it, under the names that it knows.
func TestTaskNotifications(t *testing.T) {
	r, older, _ := shop(t)
	heard := make(chan string, 20)
	listen := func(caller string) *mcp.Session {
		return r.dial(t, "2025-11-25", caller, mcp.Options{Tasks: true, OnNotification: func(m mcp.Message) {
			if strings.Contains(m.Method, "tasks") || strings.Contains(m.Method, "progress") {
				heard <- caller + " " + string(m.Params)
			}
		}})
	}
	ada, _ := listen("ada"), listen("bob")
	created := rawCall(t, ada, "tools/call", `{"name":"old__work","task":{},"_meta":{"progressToken":"mine"}}`)
	id := serve.Text(serve.Members(serve.Members(json.RawMessage(created))["task"])["taskId"])
	older.finish("1")
	got := map[string]bool{}
	for len(got) < 2 {
		select {
		case text := <-heard:
			got[text] = true
		case <-time.After(hang):
			t.Fatalf("heard %v, want progress and a status", got)
		}
	}
	for text := range got {
		if !strings.HasPrefix(text, "ada ") || !strings.Contains(text, `"progressToken":"mine"`) &&
			!(strings.Contains(text, id) && strings.Contains(text, "completed")) {
			t.Errorf("heard %s", text)
		}
	}
}
