package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A task of the 2025-11-25 kind is created, polled at the server's pace and fetched.
func TestLegacyTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := `on tools/call
	result {"task":{"taskId":"t1","status":"working","pollInterval":3000}}
on tasks/get
	result {"taskId":"t1","status":"working","pollInterval":1000}
on tasks/get
	result {"taskId":"t1","status":"completed"}
on tasks/result
	result {"content":[],"n":1.0}
`
		s, server := play(t, spec.NewestLegacy, rules, Options{Tasks: true})
		defer s.Close()
		start := time.Now()
		ex, err := s.Do(context.Background(), Request{Method: "tools/call", Params: raw(`{"name":"t"}`), Task: true})
		if took := time.Since(start); err != nil || string(ex.Reply.Result) != `{"content":[],"n":1.0}` ||
			len(ex.Rounds) != 3 || took != 4*time.Second {
			t.Errorf("%v after %v, %+v", err, took, ex)
		}
		if got := server.Got("tools/call")[0]; !strings.Contains(got, `"params":{"name":"t","task":{"ttl":300000}}`) {
			t.Errorf("sent %s", got)
		}
	})
}

func TestLegacyTaskEndings(t *testing.T) {
	for name, tt := range map[string]struct{ rules, want string }{
		"ran at once": {"on tools/call\n\tresult {\"content\":[]}\n", `{"content":[]}`},
		"refused":     {"on tools/call\n\terror -1 no\n", "error -1: no"},
		"poll refused": {"on tools/call\n\tresult " +
			"{\"task\":{\"taskId\":\"t\",\"status\":\"working\",\"pollInterval\":1}}\non tasks/get\n\terror -2 gone\n",
			"error -2: gone"},
		"wants input": {"on tools/call\n\tresult {\"task\":{\"taskId\":\"t\",\"status\":\"input_required\"}}\non " +
			"tasks/result\n\tresult {\"ok\":1}\n", `{"ok":1}`},
		"result is error": {"on tools/call\n\tresult {\"task\":{\"taskId\":\"t\",\"status\":\"failed\"}}\non " +
			"tasks/result\n\terror -3 failed\n", "error -3: failed"},
	} {
		s, _ := play(t, spec.NewestLegacy, tt.rules, Options{Tasks: true})
		ex, err := s.Do(context.Background(), Request{Method: "tools/call", Task: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := string(ex.Reply.Result)
		if ex.Reply.Error != nil {
			got = ex.Reply.Error.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// A task that nobody waits for any more is cancelled on the server.
func TestCancelledTask(t *testing.T) {
	for revision, rules := range map[string]string{
		spec.NewestLegacy: "on tools/call\n\tresult " +
			"{\"task\":{\"taskId\":\"t1\",\"status\":\"working\",\"pollInterval\":30000}}\non tasks/cancel\n\tresult " +
			"{}\n",
		spec.NewestModern: "on tools/call\n\tresult " +
			"{\"resultType\":\"task\",\"taskId\":\"t1\",\"status\":\"working\",\"pollIntervalMs\":30000}\non " +
			"tasks/cancel\n\tresult {}\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			s, server := play(t, revision, rules, Options{Tasks: true})
			defer s.Close()
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if _, err := s.Do(ctx, Request{Method: "tools/call", Task: true}); !errors.Is(err,
				context.DeadlineExceeded) {
				t.Errorf("%s: %v", revision, err)
			}
			if got := server.Got("tasks/cancel"); len(got) != 1 || !strings.Contains(got[0], `"taskId":"t1"`) {
				t.Errorf("%s: cancelled by %q", revision, got)
			}
		})
	}
}

// A task of the extension gives its result, byte for byte; input that it waits for is given once.
func TestModernTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wants = `{"resultType":"complete","taskId":"t","status":"input_required",` +
			`"inputRequests":{"k":{"method":"roots/list"}}}`
		rules := "on tools/call\n\tresult " +
			"{\"resultType\":\"task\",\"taskId\":\"t\",\"status\":\"working\",\"pollIntervalMs\":2000}\n" +
			"on tasks/get\n\tresult " + wants + "\non tasks/get\n\tresult " + wants + "\n" +
			"on tasks/get\n\tresult " +
			"{\"resultType\":\"complete\",\"taskId\":\"t\",\"status\":\"completed\",\"result\":{\"content\":[] " +
			",\"n\":1.0}}\n" +
			"on tasks/update\n\tresult {\"resultType\":\"complete\"}\n"
		s, server := play(t, spec.NewestModern, rules, answering(Options{Tasks: true}))
		defer s.Close()
		ex, err := s.Call(context.Background(), "tools/call", nil)
		if err != nil || string(ex.Reply.Result) != `{"content":[] ,"n":1.0}` {
			t.Errorf("%v, %+v", err, ex)
		}
		if got := server.Got("tasks/update"); len(got) != 1 ||
			!strings.Contains(got[0], `"inputResponses":{"k":{"roots":[{"uri":"file:///1.0"}]}}`) {
			t.Errorf("updated by %q", got)
		}
	})
}

func TestModernTaskEndings(t *testing.T) {
	for name, tt := range map[string]struct{ task, want string }{
		"failed":   {`"status":"failed","error":{"code":-7,"message":"no"}`, "error -7: no"},
		"nothing":  {`"status":"cancelled"`, "the task is cancelled but has neither result nor error"},
		"complete": {`"status":"completed","result":{"a":1}`, ""},
	} {
		s, _ := play(t, spec.NewestModern, "on tools/call\n\tresult {\"resultType\":\"task\",\"taskId\":\"t\","+tt.task+
			"}\n", Options{Tasks: true})
		ex, err := s.Call(context.Background(), "tools/call", nil)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case ex.Reply.Error != nil:
			got = ex.Reply.Error.Error()
		}
		if !strings.HasSuffix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// A server may make a task of its own request.
func TestReceivedTask(t *testing.T) {
	release := make(chan struct{})
	opts := Options{Tasks: true, Sampling: func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		select {
		case <-release:
			return Object("said", params), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
	s, _ := play(t, spec.NewestLegacy, "", opts)
	ask := func(method, params string) (json.RawMessage, error) {
		return s.handle(context.Background(), &Message{ID: raw(`1`), Method: method, Params: raw(params)})
	}
	create := func() string {
		created, err := ask("sampling/createMessage", `{"task":{},"x":1.0}`)
		task, _ := member(created, "task")
		if err != nil || text(task, "status") != "working" {
			t.Fatalf("created %s, %v", created, err)
		}
		return text(task, "taskId")
	}
	first, second := create(), create()
	if state, err := ask("tasks/cancel", `{"taskId":"`+first+`"}`); err != nil || text(state, "status") != "cancelled" {
		t.Errorf("cancelled: %s, %v", state, err)
	}
	if _, err := ask("tasks/cancel", `{"taskId":"`+first+`"}`); err == nil {
		t.Error("cancelled twice")
	}
	if _, err := ask("tasks/result", `{"taskId":"`+first+`"}`); err == nil {
		t.Error("a cancelled task has a result")
	}
	close(release)
	want := `{"said":{"task":{},"x":1.0},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + second + `"}}}`
	if got, err := ask("tasks/result", `{"taskId":"`+second+`"}`); err != nil || string(got) != want {
		t.Errorf("result %s, %v; want %s", got, err, want)
	}
	if state, err := ask("tasks/get", `{"taskId":"`+second+`"}`); err != nil || text(state, "status") != "completed" {
		t.Errorf("state %s, %v", state, err)
	}
	if _, err := ask("tasks/get", `{"taskId":"none"}`); err == nil {
		t.Error("a task that does not exist has a state")
	}
	for range 2 * maxReceived {
		last := create()
		if _, err := ask("tasks/result", `{"taskId":"`+last+`"}`); err != nil {
			t.Fatal(err)
		}
	}
	list, _ := ask("tasks/list", `{}`)
	tasks, _ := member(list, "tasks")
	if all, err := elementsOf(tasks); err != nil || len(all) != maxReceived {
		t.Errorf("%d tasks are kept, want %d", len(all), maxReceived)
	}
}
