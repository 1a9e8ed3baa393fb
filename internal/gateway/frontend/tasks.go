package frontend

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Limits of the stored tasks.
const (
	maxTasks   = 256 // per caller
	taskTTL    = 24 * time.Hour
	minTaskTTL = time.Minute
	// how long a task keeps the process of a caller or a session running
	maxTaskHold = time.Hour
)

// A task is a call that a server works on while the client does something else. Two servers may issue the same ID, and
// a client could guess one: so clients get an ID of the gateway, which is valid only for the caller that created the
// task.
type task struct {
	id, caller  string
	server, own string           // its server, and its ID there
	process     string           // the process of the server that has it
	at          *upstream.Server // that process, if it belongs to a caller or a session; nil if it is the shared one
	era         spec.Era         // of the server, which determines the kind of task
	expires     time.Time
	peer        *serve.Peer     // the session that created it; nil for a modern client
	token       json.RawMessage // the client's progress token
	ownToken    string          // the one that the server has

	mu       sync.Mutex
	state    json.RawMessage   // the last reported state, in the form of the server's era and with our ID
	input    upstream.Input    // receives server requests while the client waits for the result
	question *forward.Question // of a legacy server, which a modern client gets with tasks/get
	fetching bool              // the result was requested, so that the server can send requests
}

// A taskStore holds all stored tasks.
type taskStore struct {
	replica string // the process, if there are several

	mu    sync.Mutex
	all   map[string]*task
	byOwn map[[2]string]*task
}

// errNoTask is the error for an unknown task. It is the same whether the task has expired, belongs to another caller,
// was created by another process or never existed.
var errNoTask = serve.InvalidParams("Task not found: it has expired, belongs to another caller, or was created by " +
	"another gateway process. A task exists while the process that created it runs. If several processes share a URL, " +
	"start them with --replica-url, or route all requests of a client to the same one")

// errTooManyTasks rejects a task before a request is sent to its server.
var errTooManyTasks = &mcp.RPCError{Code: serve.CodeOverloaded,
	Message: "too many stored tasks of this caller; wait until some have expired"}

// room rejects a task above the limit of a caller. Expired tasks are deleted.
func (b *taskStore) room(caller string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, mine := time.Now(), 0
	for _, t := range b.all {
		if now.After(t.expires) {
			b.removeLocked(t)
		} else if t.caller == caller {
			mine++
		}
	}
	if mine >= maxTasks {
		return errTooManyTasks
	}
	return nil
}

func (b *taskStore) removeLocked(t *task) {
	delete(b.all, t.id)
	delete(b.byOwn, [2]string{t.process, t.own})
}

// add stores a task and assigns its ID.
func (b *taskStore) add(t *task, ttl time.Duration) {
	if ttl <= 0 || ttl > taskTTL {
		ttl = taskTTL
	}
	t.process = cmp.Or(t.process, t.server)
	b.mu.Lock()
	defer b.mu.Unlock()
	t.id, t.expires = forward.NewTaskID(b.replica), time.Now().Add(max(ttl, minTaskTTL))
	if b.all == nil {
		b.all, b.byOwn = map[string]*task{}, map[[2]string]*task{}
	}
	b.all[t.id], b.byOwn[[2]string{t.process, t.own}] = t, t
}

// find returns the caller's own task; those of others do not exist for it.
func (b *taskStore) find(id, caller string) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.all[id]
	if t == nil || t.caller != caller || time.Now().After(t.expires) {
		return nil
	}
	return t
}

// known returns the task for an ID of a process of a server.
func (b *taskStore) known(process, own string) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byOwn[[2]string{process, own}]
}

// byToken returns the task that a server reports progress on.
func (b *taskStore) byToken(process, token string) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.all {
		if t.process == process && t.ownToken == token && token != "" {
			return t
		}
	}
	return nil
}

// of lists the tasks of a caller, the oldest first.
func (b *taskStore) of(caller string) []*task {
	b.mu.Lock()
	defer b.mu.Unlock()
	var mine []*task
	for _, t := range b.all {
		if t.caller == caller && time.Now().Before(t.expires) {
			mine = append(mine, t)
		}
	}
	return mine
}

// detach stops notifications to a session that has disconnected.
func (b *taskStore) detach(p *serve.Peer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.all {
		if t.peer == p {
			t.peer = nil
		}
	}
}

// session is the session that is notified about the task.
func (b *taskStore) session(t *task) *serve.Peer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return t.peer
}

func (t *task) note(state json.RawMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = state
}

func (t *task) known() json.RawMessage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// taskInput forwards a server request about the task to its client.
func (g *Gateway) taskInput(s *upstream.Server, own string) upstream.Input {
	t := g.tasks.known(s.ID, own)
	if t == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		params = serve.SetText(params, relatedPointer, t.id)
		t.mu.Lock()
		input := t.input
		t.mu.Unlock()
		peer := g.tasks.session(t)
		switch {
		case input != nil:
			return input(ctx, method, params)
		case peer != nil && forward.Supports(peer.Capabilities, method):
			return forward.AsRPC(peer.Ask(ctx, method, params))
		case peer == nil:
			return t.hold(ctx, method, params)
		}
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not support " + method}
	}
}

// hold stores a server request until the client gets it and responds with tasks/update.
func (t *task) hold(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	q := forward.NewQuestion(method, params)
	t.mu.Lock()
	busy := t.question != nil
	if !busy {
		t.question = q
	}
	t.mu.Unlock()
	if busy {
		return nil, &mcp.RPCError{Code: mcp.CodeInternal,
			Message: "another request about the task is waiting for client input"}
	}
	defer func() {
		t.mu.Lock()
		t.question = nil
		t.mu.Unlock()
	}()
	select {
	case answer := <-q.Answer:
		return answer, nil
	case <-time.After(forward.InputTTL):
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: "the client did not respond in time"}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// taskStray forwards server messages about a task while no request about it is in flight. It reports whether the
// message is about one.
func (g *Gateway) taskStray(s *upstream.Server, m mcp.Message) bool {
	params := serve.Members(m.Params)
	var t *task
	pointer, name := "/taskId", serve.Text(params["taskId"])
	switch m.Method {
	case "notifications/tasks/status":
		if t = g.tasks.known(s.ID, name); t != nil {
			t.note(serve.SetText(m.Params, pointer, t.id))
		}
	case "notifications/progress":
		if t = g.tasks.byToken(s.ID, serve.Text(params["progressToken"])); t != nil && g.tasks.session(t) != nil {
			g.tasks.session(t).Notify(m.Method, serve.Object(serve.With(params, "progressToken", t.token)))
		}
		return true
	default:
		pointer, name = relatedPointer,
			serve.Text(serve.Members(serve.Members(params["_meta"])[serve.RelatedTask])["taskId"])
		t = g.tasks.known(s.ID, name)
	}
	if t == nil {
		return name != ""
	}
	if peer := g.tasks.session(t); peer != nil && g.caller(peer).Sees(s.Name) {
		peer.Notify(m.Method, serve.SetText(m.Params, pointer, t.id))
	}
	return true
}
