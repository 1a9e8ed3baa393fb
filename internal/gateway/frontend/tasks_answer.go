package frontend

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Timeouts of tasks.
const (
	resultWait = 10 * time.Minute // for the completion of a task, if a client waits for it
	stateWait  = 2 * time.Second  // for the state of one task in a list
)

// respondTask handles a request about tasks.
func (g *Gateway) respondTask(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	newer := c.Era == spec.Modern
	switch {
	case newer && (c.Method == "tasks/result" || c.Method == "tasks/list") || !newer && c.Method == "tasks/update":
		return nil, serve.MethodNotFound(c.Method)
	case newer && !followsTasks(c):
		return nil, &serve.Error{Code: serve.CodeMissingCapability,
			Message: "the client does not declare support for tasks",
			Data:    raw(`{"requiredCapabilities":{"extensions":{"` + mcp.TasksExtension + `":{}}}}`)}
	case c.Method == "tasks/list":
		return g.listTasks(ctx, c)
	}
	t := g.tasks.find(c.Text("taskId"), c.Peer.Caller)
	if t == nil || !g.caller(c.Peer).Sees(t.server) {
		return nil, errNoTask
	}
	if newer && t.era == spec.Legacy {
		return g.respondModernTask(ctx, c, t)
	}
	if !newer && t.era == spec.Modern {
		return g.respondLegacyTask(ctx, c, t)
	}
	if c.Method == "tasks/result" {
		defer t.beginResponse(c)()
	}
	result, bad := g.aboutTask(ctx, c, t, c.Method, c.Fields)
	if bad != nil {
		return nil, bad
	}
	if c.Method == "tasks/result" {
		return serve.SetText(result, relatedPointer, t.id), nil
	}
	result = serve.SetText(result, "/taskId", t.id)
	if c.Method != "tasks/update" {
		t.note(result)
	}
	return result, nil
}

// aboutTask forwards a request about a task to its server.
func (g *Gateway) aboutTask(ctx context.Context, c *serve.Call, t *task, method string,
	fields map[string]json.RawMessage) (json.RawMessage, *serve.Error) {
	s := t.at
	if s == nil {
		s = g.server(t.server)
	}
	if s == nil {
		return nil, serve.InvalidParams("Task not found: its server %q is no longer in the gateway's config", t.server)
	}
	p := forward.Request{Call: c, Server: s, Method: method, Fields: serve.With(fields, "taskId", rawjson.Quote(t.own))}
	if method == "tasks/result" {
		p.Timeout = resultWait
	}
	result, bad := g.forwarder.Pass(ctx, p)
	return g.opts.Invoker.Outgoing(exposeTask(t.server, result)), bad
}

// beginResponse sends server requests to the client that waits for the task's result, until the returned function is
// called.
func (t *task) beginResponse(c *serve.Call) func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.input = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		if !forward.Supports(c.Peer.Capabilities, method) {
			return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not support " + method}
		}
		return forward.AsRPC(c.Ask(ctx, method, params))
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.input = nil
	}
}

// listTasks lists the caller's tasks with their current state, or their last known state if the server does not
// respond.
func (g *Gateway) listTasks(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	if _, ok := c.Fields["cursor"]; ok {
		return nil, serve.InvalidParams("unknown cursor")
	}
	tasks := g.tasks.of(c.Peer.Caller)
	ctx, cancel := context.WithTimeout(ctx, stateWait)
	defer cancel()
	var wg sync.WaitGroup
	for _, t := range tasks {
		if isTerminal(t.known()) {
			continue
		}
		wg.Go(func() {
			state, bad := g.aboutTask(ctx, c, t, "tasks/get", nil)
			if bad == nil {
				t.note(serve.SetText(state, "/taskId", t.id))
			}
		})
	}
	wg.Wait()
	slices.SortFunc(tasks, func(a, b *task) int {
		return cmp.Or(a.expires.Compare(b.expires),
			cmp.Compare(a.id, b.id))
	})
	states := []json.RawMessage{}
	for _, t := range tasks {
		state := t.known()
		if t.era == spec.Modern {
			state = olderState(state)
		}
		states = append(states, state)
	}
	return serve.Encode(map[string]any{"tasks": states}), nil
}

// isTerminal reports whether the status of a task is final.
func isTerminal(state json.RawMessage) bool {
	switch serve.Text(serve.Members(state)["status"]) {
	case "completed", "failed", "cancelled":
		return true
	}
	return false
}
