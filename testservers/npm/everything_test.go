package npm

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestEverything uses all that server-everything has, in one session over each transport, much of it at once.
func TestEverything(t *testing.T) {
	Require(t)
	for name, target := range map[string]func(*testing.T) wire.Target{
		"stdio": func(t *testing.T) wire.Target { return stdio(t, "server-everything") },
		"http":  func(t *testing.T) wire.Target { return wire.Target{URL: listening(t, "streamableHttp") + "/mcp"} },
		"sse": func(t *testing.T) wire.Target {
			return wire.Target{URL: listening(t, "sse") + "/sse", Kind: wire.HTTPWithSSE}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &person{}
			log := wire.NewTranscript(nil)
			s := connect(t, target(t), log, p.options())
			if s.Era != spec.Legacy || s.Version != "2025-11-25" {
				t.Errorf("speaks %s %s, want legacy 2025-11-25", s.Era, s.Version)
			}
			u := use{p, s, log}
			for name, feature := range features {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					feature(t, u)
				})
			}
		})
	}
}

// A use is a session and who is behind it.
type use struct {
	*person
	*mcp.Session
	log *wire.Transcript
}

var features = map[string]func(*testing.T, use){
	"lists": lists, "plain calls": plainCalls, "media": media, "structured": structured, "resources": resources,
	"prompts": prompts, "completion": completion, "progress": progress, "cancellation": cancellation,
	"elicitation": elicitation, "url elicitation": urlElicitation, "sampling": sampling,
	"sampling as task": samplingTask,
	"roots":            roots, "task": task, "task cancelled": taskCancelled, "subscription": subscription,
	"logging":  logging,
	"refusals": refusals,
}

func lists(t *testing.T, u use) {
	if u.Target().Transport() != wire.StreamableHTTP { // there it is told before there is a stream to hear it on
		u.mustHear(t, "notifications/tools/list_changed", "")
	}
	tools := names(t, u.Session, "tools/list")
	if len(tools) != 19 || !slices.Contains(tools, "trigger-elicitation-request-async") {
		t.Errorf("%d tools, want 19: %q", len(tools), tools)
	}
	want := map[string]int{"resources/list": 7, "resources/templates/list": 2, "prompts/list": 4}
	for method, n := range want {
		if got := names(t, u.Session, method); len(got) != n {
			t.Errorf("%s: %d items, want %d: %q", method, len(got), n, got)
		}
	}
	if u.Instructions == "" || !u.Declares("completions") || !u.Declares("tasks") {
		t.Errorf("instructions %.20q, capabilities %s", u.Instructions, u.Capabilities)
	}
}

func plainCalls(t *testing.T, u use) {
	wantText(t, tool(t, u.Session, "get-sum", `{"a":2,"b":3}`).text(), "The sum of 2 and 3 is 5.")
	wantText(t, tool(t, u.Session, "echo", `{"message":"grüß dich \u0001 𝄞"}`).text(), "Echo: grüß dich \u0001 𝄞")
}

func media(t *testing.T, u use) {
	r := tool(t, u.Session, "get-tiny-image", `{}`)
	i := slices.IndexFunc(r.Content, func(c content) bool { return c.Type == "image" })
	if i < 0 || r.Content[i].MimeType != "image/png" || !strings.HasPrefix(r.Content[i].Data, "iVBORw0KGgo") {
		t.Errorf("no PNG image in %+v", r.Content)
	}
	var links []string
	for _, c := range tool(t, u.Session, "get-resource-links", `{"count":3}`).Content {
		if c.Type == "resource_link" {
			links = append(links, c.URI)
		}
	}
	want := []string{"demo://resource/dynamic/blob/1", "demo://resource/dynamic/text/2",
		"demo://resource/dynamic/blob/3"}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("resource links (-want +got):\n%s", diff)
	}
}

func structured(t *testing.T, u use) {
	r := tool(t, u.Session, "get-structured-content", `{"location":"Chicago"}`)
	want := `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`
	if got := string(r.StructuredContent); got != want {
		t.Errorf("structuredContent = %s, want %s", got, want)
	}
}

func resources(t *testing.T, u use) {
	read := func(uri string) result {
		return ask(t, u.Session, mcp.Request{Method: "resources/read", Params: mcp.Object("uri", uri)})
	}
	static := names(t, u.Session, "resources/list")[0]
	if r := read(static); len(r.Contents) != 1 || r.Contents[0].Text == "" {
		t.Errorf("%s has no text: %+v", static, r.Contents)
	}
	if r := read("demo://resource/dynamic/blob/4"); len(r.Contents) != 1 || r.Contents[0].Blob == "" {
		t.Errorf("the dynamic resource has no blob: %+v", r.Contents)
	}
}

func prompts(t *testing.T, u use) {
	params := mcp.Object("name", "args-prompt", "arguments", json.RawMessage(`{"city":"Oslo"}`))
	r := ask(t, u.Session, mcp.Request{Method: "prompts/get", Params: params})
	if len(r.Messages) != 1 {
		t.Fatalf("%d messages, want 1", len(r.Messages))
	}
	wantText(t, r.Messages[0].Content.Text, "Oslo")
}

func completion(t *testing.T, u use) {
	for params, want := range map[string][]string{
		`{"ref":{"type":"ref/prompt","name":"completable-prompt"},"argument":{"name":"department","value":"E"}}`: {"Engineering"},
		`{"ref":{"type":"ref/prompt","name":"completable-prompt"},"argument":{"name":"name","value":""},` +
			`"context":{"arguments":{"department":"Sales"}}}`: {"David", "Eve", "Frank"},
		`{"ref":{"type":"ref/resource","uri":"demo://resource/dynamic/text/{resourceId}"},` +
			`"argument":{"name":"resourceId","value":"3"}}`: {"3"},
		`{"ref":{"type":"ref/resource","uri":"demo://resource/dynamic/text/{resourceId}"},` +
			`"argument":{"name":"resourceId","value":"three"},"context":{"x":null}}`: {},
	} {
		r := ask(t, u.Session, mcp.Request{Method: "completion/complete", Params: json.RawMessage(params)})
		if diff := cmp.Diff(want, r.Completion.Values); diff != "" {
			t.Errorf("completion of %s (-want +got):\n%s", params, diff)
		}
	}
}

func progress(t *testing.T, u use) {
	var steps []mcp.Progress
	params := mcp.Object("name", "trigger-long-running-operation", "arguments",
		json.RawMessage(`{"duration":0.4,"steps":4}`))
	r := ask(t, u.Session, mcp.Request{Method: "tools/call", Params: params,
		OnProgress: func(p mcp.Progress) { steps = append(steps, p) }})
	wantText(t, r.text(), "Long running operation completed")
	want := []mcp.Progress{{Done: 1, Total: 4}, {Done: 2, Total: 4}, {Done: 3, Total: 4}, {Done: 4, Total: 4}}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}

func cancellation(t *testing.T, u use) {
	ctx, cancel := context.WithCancel(deadline(t))
	params := mcp.Object("name", "trigger-long-running-operation", "arguments",
		json.RawMessage(`{"duration":3,"steps":30}`))
	var steps atomic.Int64
	ex, err := u.Do(ctx, mcp.Request{Method: "tools/call", Params: params,
		OnProgress: func(mcp.Progress) { steps.Add(1); cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled call ended with %v, want %v", err, context.Canceled)
	}
	if n := steps.Load(); n > 20 {
		t.Errorf("a call that was cancelled at its first step went on for %d of 30", n)
	}
	wish := `"notifications/cancelled","params":{"requestId":` + string(ex.Request.ID) + `,`
	if !slices.ContainsFunc(u.log.Since(0), func(f wire.Frame) bool { return strings.Contains(string(f.Body), wish) }) {
		t.Errorf("the server was not told %s", wish)
	}
	plainCalls(t, u)
}

func elicitation(t *testing.T, u use) {
	text := tool(t, u.Session, "trigger-elicitation-request", `{}`).text()
	wantText(t, text, "- Name: Ada Lovelace\n- Favorite Integer: 7")
	if !u.wasAsked(`"titledMultipleSelectEnum"`) {
		t.Error("the form did not come as it was sent")
	}
}

func urlElicitation(t *testing.T, u use) {
	text := tool(t, u.Session, "trigger-url-elicitation",
		`{"url":"https://example.com/consent","elicitationId":"e-1"}`).text()
	wantText(t, text, "User completed the URL elicitation flow.\nElicitation ID: e-1")
	if !u.wasAsked(`"https://example.com/consent"`) {
		t.Error("the person did not see the URL")
	}
	params := `{"name":"trigger-url-elicitation","arguments":{"url":"https://example.com/first","errorPath":true}}`
	ex, err := u.Call(deadline(t), "tools/call", json.RawMessage(params))
	if err != nil || ex.Reply.Error == nil || ex.Reply.Error.Code != -32042 {
		t.Errorf("the error path answered %+v (%v), want error -32042", ex.Reply, err)
	}
}

func sampling(t *testing.T, u use) {
	wantText(t, tool(t, u.Session, "trigger-sampling-request", `{"prompt":"directly"}`).text(), "a sampled answer")
	if !u.wasAsked("context: directly") {
		t.Error("the prompt did not come")
	}
}

func samplingTask(t *testing.T, u use) {
	text := tool(t, u.Session, "trigger-sampling-request-async", `{"prompt":"as a task"}`).text()
	wantText(t, text, "[COMPLETED]")
	wantText(t, text, "a sampled answer")
}

func roots(t *testing.T, u use) {
	wantText(t, tool(t, u.Session, "get-roots-list", `{}`).text(), "1. the project\n   URI: file:///tmp/project")
}

func task(t *testing.T, u use) {
	params := mcp.Object("name", "simulate-research-query", "arguments",
		json.RawMessage(`{"topic":"python","ambiguous":true}`))
	ex, err := u.Do(deadline(t), mcp.Request{Method: "tools/call", Params: params, Task: true})
	if err != nil || ex.Reply.Error != nil {
		t.Fatalf("task: %v, %+v", err, ex)
	}
	wantText(t, string(ex.Reply.Result), "# Research Report: python (snake)")
	if len(ex.Rounds) < 2 || !strings.Contains(string(ex.Rounds[0].Reply.Result), `"taskId"`) {
		t.Errorf("%d earlier rounds, want the task's creation and its polls", len(ex.Rounds))
	}
	u.mustHear(t, "notifications/tasks/status", `"completed"`)
}

func taskCancelled(t *testing.T, u use) {
	params := mcp.Object("name", "simulate-research-query", "arguments", json.RawMessage(`{"topic":"nothing"}`))
	id := ask(t, u.Session, mcp.Request{Method: "tools/call", Params: params, Task: true, Manual: true}).Task.TaskID
	if got := ask(t, u.Session, mcp.Request{Method: "tasks/get",
		Params: mcp.Object("taskId", id)}); got.Status != "working" {
		t.Errorf("the task is %q, want working", got.Status)
	}
	if got := ask(t, u.Session, mcp.Request{Method: "tasks/cancel",
		Params: mcp.Object("taskId", id)}); got.Status != "cancelled" {
		t.Errorf("the task is %q after tasks/cancel, want cancelled", got.Status)
	}
	listed := ask(t, u.Session, mcp.Request{Method: "tasks/list"})
	if !slices.ContainsFunc(listed.Tasks, func(task struct {
		TaskID,
		Status string
	}) bool {
		return task.TaskID == id
	}) {
		t.Errorf("tasks/list has %+v, want %s among them", listed.Tasks, id)
	}
}

func subscription(t *testing.T, u use) {
	const uri = "demo://resource/dynamic/text/7"
	sub, err := u.Listen(deadline(t), mcp.Filter{URIs: []string{uri}})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	wantText(t, tool(t, u.Session, "toggle-subscriber-updates", `{}`).text(), "Started")
	m, ok, err := sub.Next(deadline(t))
	if err != nil || !ok || m.Method != "notifications/resources/updated" || !strings.Contains(string(m.Params), uri) {
		t.Errorf("Next = %s %s, %v, %v; want an update of %s", m.Method, m.Params, ok, err, uri)
	}
	wantText(t, tool(t, u.Session, "toggle-subscriber-updates", `{}`).text(), "Stopped")
}

func logging(t *testing.T, u use) {
	wantText(t, tool(t, u.Session, "toggle-simulated-logging", `{}`).text(), "Started")
	u.mustHear(t, "notifications/message", "message")
	u.mustHear(t, "notifications/message", "Roots updated: 1 root(s)")
	wantText(t, tool(t, u.Session, "toggle-simulated-logging", `{}`).text(), "Stopped")
	ask(t, u.Session, mcp.Request{Method: "logging/setLevel", Params: mcp.Object("level", "debug")})
}

func refusals(t *testing.T, u use) {
	ex, err := u.Call(deadline(t), "no/such/method", nil)
	if err != nil || ex.Reply.Error == nil || ex.Reply.Error.Code != mcp.CodeMethodNotFound {
		t.Errorf("an unknown method brought %+v (%v), want error %d", ex.Reply, err, mcp.CodeMethodNotFound)
	}
	ex, err = u.Call(deadline(t), "tools/call", json.RawMessage(`{"name":"get-sum","arguments":{"a":"two","b":3}}`))
	if err != nil || !strings.Contains(string(ex.Reply.Result), `"isError":true`) {
		t.Errorf("a wrong argument brought %+v (%v), want isError", ex.Reply, err)
	}
}
