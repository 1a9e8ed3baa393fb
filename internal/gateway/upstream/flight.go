package upstream

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A flight is a request under way, with those who care about it.
type flight struct {
	owner any // who it is made for
	hear  func(mcp.Message)
	input func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// flights are the requests under way on a line. What a process says does not tell which of them it is about, so that
// only what can be about a single client is passed on: a guess could show one client what belongs to another.
type flights struct {
	mu  sync.Mutex
	all map[*flight]bool
}

func (f *flights) add(one *flight) {
	f.mu.Lock()
	f.all[one] = true
	f.mu.Unlock()
}

func (f *flights) remove(one *flight) {
	f.mu.Lock()
	delete(f.all, one)
	f.mu.Unlock()
}

// sole returns a request of the only client that has some under way.
func (f *flights) sole(fits func(*flight) bool) (only *flight, clients int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	owners := map[any]bool{}
	for one := range f.all {
		owners[one.owner] = true
		if fits(one) {
			only = one
		}
	}
	if len(owners) != 1 {
		return nil, len(owners)
	}
	return only, 1
}

// stray passes a notification on that the session could not give to a request.
func (l *line) stray(m mcp.Message) {
	switch m.Method {
	case "notifications/progress":
		return // its request is over
	case "notifications/message":
		if one, _ := l.flights.sole(func(f *flight) bool { return f.hear != nil }); one != nil {
			one.hear(m)
			return
		}
	}
	if !l.quiet {
		l.server.changed(m.Method)
	}
	if l.server.opts.OnStray != nil {
		if session := l.open(); session != nil {
			l.server.opts.OnStray(l.server, session.Era, m)
		}
	}
}

// asker answers a request of the server's that the session could not give to one of ours.
func (l *line) asker(method string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		return l.asked(ctx, method, params)
	}
}

func (l *line) asked(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	one, clients := l.flights.sole(func(f *flight) bool { return f.input != nil })
	switch {
	case one != nil:
		return one.input(ctx, method, params)
	case clients > 1:
		return nil, &mcp.RPCError{Code: mcp.CodeInternal, Message: "several clients have requests under way; which one is meant cannot be told"}
	case clients == 0 && l.server.opts.OnAsk != nil:
		return l.server.opts.OnAsk(ctx, method, params)
	}
	return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "no client is there to answer " + method}
}
