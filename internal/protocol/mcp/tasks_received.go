package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"
)

// maxReceived is how many tasks of a server's we keep.
const maxReceived = 64

// receivedTasks are requests of the server's that it wants worked on as tasks (2025-11-25).
type receivedTasks struct {
	mu    sync.Mutex
	order []string
	byID  map[string]*receivedTask
}

type receivedTask struct {
	id       string
	created  time.Time
	cancel   context.CancelFunc
	done     chan struct{}
	canceled bool
	result   json.RawMessage
	err      error
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

// receiveTask starts work on a request and returns the task at once.
func (s *Session) receiveTask(m *Message, _ json.RawMessage) (json.RawMessage, error) {
	s.mu.Lock()
	if s.tasks == nil {
		s.tasks = &receivedTasks{byID: map[string]*receivedTask{}}
	}
	tasks := s.tasks
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(s.ctx)
	t := &receivedTask{id: rand.Text(), created: time.Now(), cancel: cancel, done: make(chan struct{})}
	if !tasks.add(t) {
		cancel()
		return nil, &RPCError{Code: CodeInternal, Message: "too many tasks are under way"}
	}
	method, params := m.Method, m.Params
	s.wg.Go(func() {
		defer cancel()
		defer close(t.done)
		t.result, t.err = s.input(ctx, method, params)
	})
	return Object("task", t.state()), nil
}

func (r *receivedTasks) add(t *receivedTask) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.order) >= maxReceived {
		return false
	}
	r.order = append(r.order, t.id)
	r.byID[t.id] = t
	return true
}

// state is the task as the protocol shows it.
func (t *receivedTask) state() json.RawMessage {
	status := "working"
	select {
	case <-t.done:
		switch {
		case t.canceled:
			status = "cancelled"
		case t.err != nil:
			status = "failed"
		default:
			status = "completed"
		}
	default:
	}
	stamp := t.created.UTC().Format(time.RFC3339)
	return Object("taskId", t.id, "status", status, "createdAt", stamp, "lastUpdatedAt", stamp, "ttl", 300000, "pollInterval", 200)
}

// receivedTask answers the server's questions about its tasks. It reports whether the method is one of them.
func (s *Session) receivedTask(ctx context.Context, m *Message) (json.RawMessage, bool, error) {
	if !slices.Contains([]string{"tasks/get", "tasks/result", "tasks/list", "tasks/cancel"}, m.Method) || !s.opts.Tasks {
		return nil, false, nil
	}
	s.mu.Lock()
	tasks := s.tasks
	s.mu.Unlock()
	if tasks == nil {
		tasks = &receivedTasks{}
	}
	tasks.mu.Lock()
	t := tasks.byID[text(m.Params, "taskId")]
	order := slices.Clone(tasks.order)
	tasks.mu.Unlock()
	switch {
	case m.Method == "tasks/list":
		all := []json.RawMessage{}
		for _, id := range order {
			all = append(all, tasks.byID[id].state())
		}
		return Object("tasks", all), true, nil
	case t == nil:
		return nil, true, &RPCError{Code: CodeInvalidParams, Message: "no such task"}
	case m.Method == "tasks/get":
		return t.state(), true, nil
	case m.Method == "tasks/cancel":
		t.canceled = true
		t.cancel()
		<-t.done
		return t.state(), true, nil
	}
	select {
	case <-t.done:
	case <-ctx.Done():
		return nil, true, context.Cause(ctx)
	}
	if t.canceled {
		return nil, true, errors.New("the task was cancelled")
	}
	if t.err != nil {
		return nil, true, t.err
	}
	related := Object("io.modelcontextprotocol/related-task", Object("taskId", t.id))
	return withMember(t.result, "_meta", related), true, nil
}
