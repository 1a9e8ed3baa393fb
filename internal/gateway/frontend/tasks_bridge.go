package frontend

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A legacy task has a state, and a separate result to wait for. A modern task has both in one, and also contains its
// input requests. If one side is legacy and the other modern, the gateway translates.

// taskPoll is the interval for polling a modern task on behalf of a legacy client that waits.
const (
	taskPoll    = 500 * time.Millisecond
	minTaskPoll = 50 * time.Millisecond
)

// respondModernTask responds to a modern client about a task of a legacy server.
func (g *Gateway) respondModernTask(ctx context.Context, c *serve.Call, t *task) (json.RawMessage, *serve.Error) {
	switch c.Method {
	case "tasks/update":
		t.give(serve.Members(c.Fields["inputResponses"]))
		return raw("{}"), nil
	case "tasks/cancel":
		_, bad := g.aboutTask(ctx, c, t, "tasks/cancel", nil)
		return raw("{}"), bad
	}
	result, bad := g.aboutTask(ctx, c, t, "tasks/get", nil)
	if bad != nil {
		return nil, bad
	}
	t.note(serve.SetText(result, "/taskId", t.id))
	state := newerState(t.known())
	switch serve.Text(state["status"]) {
	case "completed", "failed":
		return serve.Object(g.inlined(ctx, c, t, state)), nil
	case "input_required":
		g.fetch(ctx, c, t)
	}
	if q := t.pendingQuestion(); q != nil {
		state["status"] = rawjson.Quote("input_required")
		state["inputRequests"] = q.Requests()
	}
	return serve.Object(state), nil
}

// inlined adds the outcome to the state of a finished task. A tool that failed counts as completed; only a protocol
// error counts as failed.
func (g *Gateway) inlined(ctx context.Context, c *serve.Call, t *task,
	state map[string]json.RawMessage) map[string]json.RawMessage {
	result, bad := g.aboutTask(ctx, c, t, "tasks/result", nil)
	if bad != nil {
		state["status"], state["error"] = rawjson.Quote("failed"), serve.Encode(bad)
		return state
	}
	state["status"], state["result"] = rawjson.Quote("completed"), serve.SetText(result, relatedPointer, t.id)
	return state
}

// fetch requests the result of a task that requires input: only then does its server send requests. It ends with the
// server.
func (g *Gateway) fetch(ctx context.Context, c *serve.Call, t *task) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fetching {
		return
	}
	t.fetching = true
	lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), resultWait)
	g.wg.Go(func() {
		defer cancel()
		_, _ = g.aboutTask(lasting, c, t, "tasks/result", nil)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.fetching = false
	})
}

func (t *task) pendingQuestion() *forward.Question {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.question
}

// give passes the client's response to the pending request.
func (t *task) give(responses map[string]json.RawMessage) {
	answer, ok := forward.AnswerIn(responses)
	if q := t.pendingQuestion(); ok && q != nil {
		select {
		case q.Answer <- answer:
		default: // it already has one
		}
	}
}

// respondLegacyTask responds to a legacy client about a task of a modern server.
func (g *Gateway) respondLegacyTask(ctx context.Context, c *serve.Call, t *task) (json.RawMessage, *serve.Error) {
	if c.Method == "tasks/result" {
		return g.awaitTask(ctx, c, t)
	}
	if c.Method == "tasks/cancel" {
		if _, bad := g.aboutTask(ctx, c, t, "tasks/cancel", nil); bad != nil {
			return nil, bad
		}
	}
	state, bad := g.taskState(ctx, c, t)
	if bad != nil {
		return nil, bad
	}
	return olderState(state), nil
}

func (g *Gateway) taskState(ctx context.Context, c *serve.Call, t *task) (json.RawMessage, *serve.Error) {
	state, bad := g.aboutTask(ctx, c, t, "tasks/get", nil)
	if bad != nil {
		return nil, bad
	}
	t.note(serve.SetText(state, "/taskId", t.id))
	return t.known(), nil
}

// awaitTask waits for the completion of a task, and forwards its input requests to the client meanwhile.
func (g *Gateway) awaitTask(ctx context.Context, c *serve.Call, t *task) (json.RawMessage, *serve.Error) {
	ctx, cancel := context.WithTimeout(ctx, resultWait)
	defer cancel()
	answered := map[string]bool{}
	for {
		state, bad := g.taskState(ctx, c, t)
		if bad != nil {
			return nil, bad
		}
		members := serve.Members(state)
		switch {
		case members["result"] != nil:
			return withRelated(serve.Boundary{Client: spec.Legacy, Server: t.era}.Result("tools/call",
				members["result"]), t.id), nil
		case members["error"] != nil:
			var failed serve.Error
			if json.Unmarshal(members["error"], &failed) != nil {
				failed = serve.Error{Code: serve.CodeInternal, Message: "the task failed"}
			}
			return nil, &failed
		case isTerminal(state):
			return nil, &serve.Error{Code: serve.CodeInternal, Message: "the task ended without a result"}
		}
		if bad := g.respondInput(ctx, c, t, members["inputRequests"], answered); bad != nil {
			return nil, bad
		}
		wait := taskPoll
		if ms := milliseconds(members["pollIntervalMs"]); ms > 0 {
			wait = max(ms, minTaskPoll)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, &serve.Error{Code: serve.CodeInternal, Message: "the task timed out"}
		}
	}
}

// respondInput forwards the input requests of a task to the client, each once.
func (g *Gateway) respondInput(ctx context.Context, c *serve.Call, t *task, requests json.RawMessage,
	answered map[string]bool) *serve.Error {
	responses := map[string]json.RawMessage{}
	for key, request := range serve.Members(requests) {
		if answered[key] {
			continue
		}
		answered[key] = true
		members := serve.Members(request)
		answer, err := forward.AsRPC(c.Ask(ctx, serve.Text(members["method"]), members["params"]))
		if err != nil {
			var refused *mcp.RPCError
			if errors.As(err, &refused) {
				return &serve.Error{Code: int(refused.Code), Message: refused.Message}
			}
			return forward.ClientError(err)
		}
		responses[key] = answer
	}
	if len(responses) == 0 {
		return nil
	}
	_, bad := g.aboutTask(ctx, c, t, "tasks/update", map[string]json.RawMessage{"inputResponses": serve.Object(responses)})
	return bad
}

// withRelated adds the related task to a result, in legacy form.
func withRelated(result json.RawMessage, id string) json.RawMessage {
	related := serve.Object(map[string]json.RawMessage{"taskId": rawjson.Quote(id)})
	members := serve.Members(result)
	if members == nil {
		return result
	}
	if meta := serve.Members(members["_meta"]); meta != nil {
		return serve.Object(serve.With(members, "_meta", serve.Object(serve.With(meta, serve.RelatedTask, related))))
	}
	return serve.Extend(result, []string{"_meta"},
		[]json.RawMessage{serve.Object(map[string]json.RawMessage{serve.RelatedTask: related})})
}
