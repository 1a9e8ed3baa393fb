package front

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A task of the older era has a state, and a result that is waited for. One of the newer era has both in one, and asks by
// it too. Where client and server are of two eras, the gateway stands between.

// taskPoll is how often a task of the newer era is looked at for a client of the older one that waits.
const (
	taskPoll    = 500 * time.Millisecond
	minTaskPoll = 50 * time.Millisecond
)

// answerNewer answers a client of the newer era about a task of an older server.
func (g *Gateway) answerNewer(ctx context.Context, c *serve.Call, t *task) (json.RawMessage, *serve.Error) {
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
	t.note(renamed(result, "/taskId", t.id))
	state := newerState(t.known())
	switch textOf(state["status"]) {
	case "completed", "failed":
		return object(g.inlined(ctx, c, t, state)), nil
	case "input_required":
		g.fetch(ctx, c, t)
	}
	if q := t.asked(); q != nil {
		state["status"] = quoted("input_required")
		state["inputRequests"] = object(map[string]json.RawMessage{questionKey: object(map[string]json.RawMessage{"method": quoted(q.method), "params": q.params})})
	}
	return object(state), nil
}

// inlined adds the outcome to the state of a task that is over. A tool that failed has completed; only what is an error of
// the protocol has failed.
func (g *Gateway) inlined(ctx context.Context, c *serve.Call, t *task, state map[string]json.RawMessage) map[string]json.RawMessage {
	result, bad := g.aboutTask(ctx, c, t, "tasks/result", nil)
	if bad != nil {
		state["status"], state["error"] = quoted("failed"), serve.Encode(bad)
		return state
	}
	state["status"], state["result"] = quoted("completed"), renamed(result, relatedPointer, t.id)
	return state
}

// fetch asks for the result of a task that wants input: only then does its server ask. It ends with the server.
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

func (t *task) asked() *question {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.question
}

// give passes the client's answer to whoever asked.
func (t *task) give(responses map[string]json.RawMessage) {
	answer, ok := responses[questionKey]
	if q := t.asked(); ok && q != nil {
		select {
		case q.answer <- answer:
		default: // it has one
		}
	}
}

// answerOlder answers a client of the older era about a task of a newer server.
func (g *Gateway) answerOlder(ctx context.Context, c *serve.Call, t *task) (json.RawMessage, *serve.Error) {
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
	t.note(renamed(state, "/taskId", t.id))
	return t.known(), nil
}

// awaitTask waits for the end of a task, and has the client answer what the task asks meanwhile.
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
			return withRelated(boundary{mcp.Legacy, t.era}.result("tools/call", members["result"]), t.id), nil
		case members["error"] != nil:
			var failed serve.Error
			if json.Unmarshal(members["error"], &failed) != nil {
				failed = serve.Error{Code: serve.CodeInternal, Message: "the task failed"}
			}
			return nil, &failed
		case over(state):
			return nil, &serve.Error{Code: serve.CodeInternal, Message: "the task has ended without a result"}
		}
		if bad := g.answerInput(ctx, c, t, members["inputRequests"], answered); bad != nil {
			return nil, bad
		}
		wait := taskPoll
		if ms := milliseconds(members["pollIntervalMs"]); ms > 0 {
			wait = max(ms, minTaskPoll)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, &serve.Error{Code: serve.CodeInternal, Message: "the task has not ended in time"}
		}
	}
}

// answerInput has the client answer what a task asks, each question once.
func (g *Gateway) answerInput(ctx context.Context, c *serve.Call, t *task, requests json.RawMessage, answered map[string]bool) *serve.Error {
	responses := map[string]json.RawMessage{}
	for key, request := range serve.Members(requests) {
		if answered[key] {
			continue
		}
		answered[key] = true
		members := serve.Members(request)
		answer, err := asRPC(c.Ask(ctx, textOf(members["method"]), members["params"]))
		if err != nil {
			var refused *mcp.RPCError
			if errors.As(err, &refused) {
				return &serve.Error{Code: int(refused.Code), Message: refused.Message}
			}
			return refusal(err)
		}
		responses[key] = answer
	}
	if len(responses) == 0 {
		return nil
	}
	_, bad := g.aboutTask(ctx, c, t, "tasks/update", map[string]json.RawMessage{"inputResponses": object(responses)})
	return bad
}

// withRelated says in a result which task it is of, as the older era has it.
func withRelated(result json.RawMessage, id string) json.RawMessage {
	related := object(map[string]json.RawMessage{relatedTask: object(map[string]json.RawMessage{"taskId": quoted(id)})})
	members := serve.Members(result)
	if members == nil || members["_meta"] != nil {
		return result
	}
	return extended(result, []string{"_meta"}, []json.RawMessage{related})
}
