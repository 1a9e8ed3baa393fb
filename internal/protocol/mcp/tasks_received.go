package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// maxReceived is the maximum number of tasks for a server; the oldest finished ones are evicted.
const maxReceived = 64

// receivedTasks are requests of the server that it sent as tasks (2025-11-25).
type receivedTasks struct {
	mu   sync.Mutex
	list []*receivedTask // oldest first
}

type receivedTask struct {
	id      string
	created time.Time
	cancel  context.CancelFunc
	over    chan struct{} // closed when status is no longer "working"

	mu      sync.Mutex
	status  string
	changed time.Time
	result  json.RawMessage
	err     error
}

// receiverCapabilities declares which requests a server may send as tasks.
func (o *Options) receiverCapabilities() json.RawMessage {
	var sampling, elicitation any
	if o.Sampling != nil {
		sampling = json.RawMessage(`{"createMessage":{}}`)
	}
	if o.Elicitation != nil {
		elicitation = json.RawMessage(`{"create":{}}`)
	}
	return Object("list", json.RawMessage(`{}`), "cancel", json.RawMessage(`{}`),
		"requests", Object("sampling", sampling, "elicitation", elicitation))
}

// receiveTask starts handling a request and returns the task immediately.
func (s *Session) receiveTask(m *Message) (json.RawMessage, error) {
	ctx, cancel := context.WithCancel(s.ctx)
	now := time.Now()
	t := &receivedTask{id: rand.Text(), created: now, changed: now, cancel: cancel, over: make(chan struct{}),
		status: "working"}
	if !s.tasks.add(t) {
		cancel()
		return nil, &RPCError{Code: CodeInternal, Message: "too many tasks in progress"}
	}
	state := t.state() // before it is handled
	s.wg.Go(func() {
		defer cancel()
		defer s.holdTimers()()
		result, err := s.input(ctx, m.Method, m.Params)
		status := "completed"
		if err != nil {
			status = "failed"
		}
		t.finish(status, result, err)
	})
	return Object("task", state), nil
}

func (r *receivedTasks) add(t *receivedTask) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) >= maxReceived {
		old := slices.IndexFunc(r.list, (*receivedTask).isOver)
		if old < 0 {
			return false
		}
		r.list = slices.Delete(r.list, old, old+1)
	}
	r.list = append(r.list, t)
	return true
}

func (r *receivedTasks) all() []*receivedTask {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

func (t *receivedTask) isOver() bool {
	select {
	case <-t.over:
		return true
	default:
		return false
	}
}

// finish sets the outcome of the task, if it has none yet.
func (t *receivedTask) finish(status string, result json.RawMessage, err error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isOver() {
		return false
	}
	t.status, t.result, t.err, t.changed = status, result, err, time.Now()
	close(t.over)
	return true
}

// state returns the task in the format of the protocol.
func (t *receivedTask) state() json.RawMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Object("taskId", t.id, "status", t.status, "createdAt", t.created.UTC().Format(time.RFC3339),
		"lastUpdatedAt", t.changed.UTC().Format(time.RFC3339), "ttl", 300000, "pollInterval", 200)
}

// receivedTask handles the server's requests about its tasks. It reports whether the method is one of them.
func (s *Session) receivedTask(ctx context.Context, m *Message) (json.RawMessage, bool, error) {
	if !slices.Contains([]string{"tasks/get", "tasks/result", "tasks/list", "tasks/cancel"}, m.Method) ||
		!s.opts.Tasks {
		return nil, false, nil
	}
	tasks := s.tasks.all()
	if m.Method == "tasks/list" {
		states := []json.RawMessage{}
		for _, t := range tasks {
			states = append(states, t.state())
		}
		return Object("tasks", states), true, nil
	}
	id := text(m.Params, "taskId")
	found := slices.IndexFunc(tasks, func(t *receivedTask) bool { return t.id == id })
	if found < 0 {
		return nil, true, &RPCError{Code: CodeInvalidParams, Message: "unknown task"}
	}
	result, err := tasks[found].respond(ctx, m.Method)
	return result, true, err
}

// respond handles one request about the task.
func (t *receivedTask) respond(ctx context.Context, method string) (json.RawMessage, error) {
	switch method {
	case "tasks/cancel":
		if !t.finish("cancelled", nil, &RPCError{Code: CodeInternal, Message: "the task was cancelled"}) {
			return nil, &RPCError{Code: CodeInvalidParams, Message: "the task is already finished"}
		}
		t.cancel()
		return t.state(), nil
	case "tasks/get":
		return t.state(), nil
	}
	select {
	case <-t.over:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if t.err != nil {
		return nil, t.err
	}
	related := Object("io.modelcontextprotocol/related-task", Object("taskId", t.id))
	return withMeta(t.result, related), nil
}
