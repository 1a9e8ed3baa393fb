package front

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Bounds of the tasks that are remembered.
const (
	maxTasks    = 256 // of one caller
	taskTime    = 24 * time.Hour
	minTaskTime = time.Minute
)

// A task is a call that a server works on while the client does something else. Two servers may give the same id, and a
// client could guess one: so clients get an id of ours, which is good for the caller alone that has made the task.
type task struct {
	id, caller  string
	server, own string  // where it runs, and its id there
	era         mcp.Era // of the server, which says what kind of task it is
	expires     time.Time
	peer        *serve.Peer     // the session that made it; nil for a client of the newer era
	token       json.RawMessage // the client's progress token
	ownToken    string          // the one that the server has

	mu       sync.Mutex
	state    json.RawMessage // as it was last told, in the words of the server's era and with our id
	input    upstream.Input  // who answers while the client waits for the result
	question *question       // of an older server's, which a newer client fetches with tasks/get
	fetching bool            // the result is asked for, so that the server can ask
}

// A taskBook is all tasks that are remembered.
type taskBook struct {
	mu    sync.Mutex
	all   map[string]*task
	byOwn map[[2]string]*task
}

// errNoTask is the answer about a task that is not known. It says the same whether the task has expired, is another caller's,
// was made by another process or never was.
var errNoTask = serve.InvalidParams("Task not found: it has expired, is not yours, or was made by another gateway process. Only the process that made a task " +
	"knows it, until it ends: where several share an address, have all requests of a client go to the same one, or call the tool again")

// errTooManyTasks refuses a task before its server hears of it.
var errTooManyTasks = &mcp.RPCError{Code: serve.CodeOverloaded, Message: "too many tasks of this caller are remembered; wait until some have expired"}

// room refuses one task more than a caller may have. What has expired is forgotten.
func (b *taskBook) room(caller string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, mine := time.Now(), 0
	for _, t := range b.all {
		if now.After(t.expires) {
			b.forgetLocked(t)
		} else if t.caller == caller {
			mine++
		}
	}
	if mine >= maxTasks {
		return errTooManyTasks
	}
	return nil
}

func (b *taskBook) forgetLocked(t *task) {
	delete(b.all, t.id)
	delete(b.byOwn, [2]string{t.server, t.own})
}

// add remembers a task and gives it its id.
func (b *taskBook) add(t *task, ttl time.Duration) {
	if ttl <= 0 || ttl > taskTime {
		ttl = taskTime
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t.id, t.expires = "task-"+rand.Text(), time.Now().Add(max(ttl, minTaskTime))
	if b.all == nil {
		b.all, b.byOwn = map[string]*task{}, map[[2]string]*task{}
	}
	b.all[t.id], b.byOwn[[2]string{t.server, t.own}] = t, t
}

// find returns the caller's own task; that of another does not exist for it.
func (b *taskBook) find(id, caller string) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.all[id]
	if t == nil || t.caller != caller || time.Now().After(t.expires) {
		return nil
	}
	return t
}

// known returns the task that a server calls by its own id.
func (b *taskBook) known(server, own string) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byOwn[[2]string{server, own}]
}

// byToken returns the task that a server reports progress on.
func (b *taskBook) byToken(server, token string) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.all {
		if t.server == server && t.ownToken == token && token != "" {
			return t
		}
	}
	return nil
}

// of lists the tasks of a caller, the oldest first.
func (b *taskBook) of(caller string) []*task {
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

// leave makes a session that has gone be told of nothing more.
func (b *taskBook) leave(p *serve.Peer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.all {
		if t.peer == p {
			t.peer = nil
		}
	}
}

// session is the session that is told of the task.
func (b *taskBook) session(t *task) *serve.Peer {
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

// ask gives a question about the task to its client.
func (g *Gateway) askAboutTask(s *upstream.Server, own string) upstream.Input {
	t := g.tasks.known(s.Name, own)
	if t == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		params = renamed(params, relatedPointer, t.id)
		t.mu.Lock()
		input := t.input
		t.mu.Unlock()
		peer := g.tasks.session(t)
		switch {
		case input != nil:
			return input(ctx, method, params)
		case peer != nil && offers(peer.Capabilities, method):
			return asRPC(peer.Ask(ctx, method, params))
		case peer == nil:
			return t.hold(ctx, method, params)
		}
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not offer " + method}
	}
}

// hold keeps a question until the client fetches it and answers with tasks/update.
func (t *task) hold(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	q := &question{method, params, make(chan json.RawMessage, 1)}
	t.mu.Lock()
	busy := t.question != nil
	if !busy {
		t.question = q
	}
	t.mu.Unlock()
	if busy {
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: "another question about the task waits for its answer"}
	}
	defer func() {
		t.mu.Lock()
		t.question = nil
		t.mu.Unlock()
	}()
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-time.After(parkTime):
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: "the client did not answer in time"}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// taskStray passes on what a server says about a task while no request about it is under way. It reports whether the
// message is about one.
func (g *Gateway) taskStray(s *upstream.Server, m mcp.Message) bool {
	params := serve.Members(m.Params)
	var t *task
	pointer, name := "/taskId", textOf(params["taskId"])
	switch m.Method {
	case "notifications/tasks/status":
		if t = g.tasks.known(s.Name, name); t != nil {
			t.note(renamed(m.Params, pointer, t.id))
		}
	case "notifications/progress":
		if t = g.tasks.byToken(s.Name, textOf(params["progressToken"])); t != nil && g.tasks.session(t) != nil {
			g.tasks.session(t).Tell(m.Method, object(with(params, "progressToken", t.token)))
		}
		return true
	default:
		pointer, name = relatedPointer, textOf(serve.Members(serve.Members(params["_meta"])[relatedTask])["taskId"])
		t = g.tasks.known(s.Name, name)
	}
	if t == nil {
		return name != ""
	}
	if peer := g.tasks.session(t); peer != nil && g.caller(peer).Sees(s.Name) {
		peer.Tell(m.Method, renamed(m.Params, pointer, t.id))
	}
	return true
}
