package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A worker is a server that makes a task of each call, in the words of its era. It numbers them from 1, as others do.
// The tool "work" ends when it is let go, "ask" when it has been told a name.
type worker struct {
	newer bool

	mu    sync.Mutex
	talk  *talk // with its client of now
	tasks map[string]*job
}

type job struct {
	id, status, result string
	token              json.RawMessage
	over               chan struct{}
}

func (w *worker) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	talk := newTalk(out)
	w.mu.Lock()
	w.talk, w.tasks = talk, map[string]*job{}
	w.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	return talk.listen(in, func(method string, m map[string]json.RawMessage) {
		wg.Go(func() { w.handle(ctx, method, m) })
	})
}

func (w *worker) say(format string, args ...any) {
	w.mu.Lock()
	talk := w.talk
	w.mu.Unlock()
	talk.say(fmt.Sprintf(format, args...))
}

func (w *worker) handle(ctx context.Context, method string, m map[string]json.RawMessage) {
	params := serve.Members(m["params"])
	result := `"result":{}`
	switch {
	case m["id"] == nil:
		return
	case method == "server/discover" && w.newer:
		result = `"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"extensions":{"` +
			mcp.TasksExtension + `":{}}},"resultType":"complete"}`
	case method == "server/discover" || method == "initialize" && w.newer:
		result = `"error":{"code":-32601,"message":"no"}`
	case method == "initialize":
		result = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"list":{},"cancel":{},` +
			`"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"worker","version":"1"}}`
	case method == "tools/list":
		result = `"result":{"tools":[{"name":"work","inputSchema":{"type":"object"},` +
			`"execution":{"taskSupport":"required"}},{"name":"ask","inputSchema":{"type":"object"},` +
			`"execution":{"taskSupport":"required"}}],"resultType":"complete"}`
	case method == "tools/call":
		result = w.create(params)
	case strings.HasPrefix(method, "tasks/"):
		result = w.about(ctx, method, params)
	}
	w.say(`{"jsonrpc":"2.0","id":%s,%s}`, m["id"], result)
}

// create makes a task.
func (w *worker) create(params map[string]json.RawMessage) string {
	if !w.newer && params["task"] == nil {
		return `"error":{"code":-32601,"message":"work is done as a task"}`
	}
	if extensions := serve.Members(serve.Members(serve.Members(params["_meta"])[serve.MetaCapabilities])["extensions"]); w.newer && extensions[mcp.TasksExtension] == nil {
		return `"error":{"code":-32021,"message":"work is done as a task"}`
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	j := &job{id: fmt.Sprint(len(w.tasks) + 1), status: "working", over: make(chan struct{}),
		token: serve.Members(params["_meta"])["progressToken"]}
	j.result = `{"content":[{"type":"text","text":"did ` + j.id + `"}],"n":1.0}`
	if serve.Text(params["name"]) == "ask" {
		j.status = "input_required"
	}
	w.tasks[j.id] = j
	if w.newer {
		return `"result":{"resultType":"task",` + w.state(j)[1:]
	}
	return `"result":{"task":` + w.state(j) + `}`
}

func (w *worker) state(j *job) string {
	ttl, poll := "ttl", "pollInterval"
	if w.newer {
		ttl, poll = "ttlMs", "pollIntervalMs"
	}
	return fmt.Sprintf(`{"taskId":%q,"status":%q,"createdAt":"2026-11-15T00:00:00Z",`+
		`"lastUpdatedAt":"2026-11-15T00:00:00Z",%q:60000,%q:50}`, j.id, j.status, ttl, poll)
}

func (w *worker) about(ctx context.Context, method string, params map[string]json.RawMessage) string {
	w.mu.Lock()
	j := w.tasks[serve.Text(params["taskId"])]
	w.mu.Unlock()
	if j == nil {
		return `"error":{"code":-32602,"message":"no such task here"}`
	}
	switch method {
	case "tasks/cancel":
		w.end(j, "cancelled")
	case "tasks/update":
		w.told(j, string(serve.Members(params["inputResponses"])["who"]))
		return `"result":{"resultType":"complete"}`
	case "tasks/result":
		w.mu.Lock()
		waits := j.status == "input_required"
		w.mu.Unlock()
		if waits {
			w.told(j, w.ask(ctx, j))
		}
		select {
		case <-j.over:
		case <-ctx.Done():
		}
		return `"result":` + strings.TrimSuffix(j.result, "}") + `,"_meta":{"` + serve.RelatedTask + `":{"taskId":"` +
			j.id +
			`"}}}`
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	state := w.state(j)
	switch {
	case w.newer && j.status == "completed":
		state = strings.TrimSuffix(state, "}") + `,"result":` + j.result + `}`
	case w.newer && j.status == "input_required":
		state = strings.TrimSuffix(state, "}") + `,"inputRequests":{"who":{"method":"elicitation/create",` +
			`"params":{"message":"who?"}}}}`
	}
	if w.newer {
		state = `{"resultType":"complete",` + state[1:]
	}
	return `"result":` + state
}

// ask asks the client, in the name of a task.
func (w *worker) ask(ctx context.Context, j *job) string {
	w.mu.Lock()
	talk := w.talk
	w.mu.Unlock()
	return talk.ask(ctx, "elicitation/create", fmt.Sprintf(`{"message":"who?","_meta":{"%s":{"taskId":%q}}}`,
		serve.RelatedTask, j.id))
}

// told ends a task with what it was told.
func (w *worker) told(j *job, answer string) {
	w.mu.Lock()
	j.result = `{"content":[{"type":"text","text":"hello ` +
		serve.Text(serve.Members(serve.Members(json.RawMessage(answer))["content"])["name"]) + `"}]}`
	w.mu.Unlock()
	w.end(j, "completed")
}

// end ends a task and says so.
func (w *worker) end(j *job, status string) {
	w.mu.Lock()
	before := j.status
	if before != "completed" && before != "cancelled" {
		j.status = status
		close(j.over)
	}
	state := w.state(j)
	w.mu.Unlock()
	if before != j.status && !w.newer {
		if j.token != nil {
			w.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`,
				j.token)
		}
		w.say(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":%s}`, state)
	}
}

// finish ends a task by its number.
func (w *worker) finish(id string) {
	w.mu.Lock()
	j := w.tasks[id]
	w.mu.Unlock()
	w.end(j, "completed")
}
