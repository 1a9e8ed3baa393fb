package replay

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// A responder responds to the requests of a server as the recorded client did.
type responder struct {
	mu         sync.Mutex
	steps      []*recording.Step
	roots      json.RawMessage
	comparison *comparison
	used       map[*recording.Step]bool
}

// rootsList is what a server may send at any time. It is not compared.
const rootsList = "roots/list"

// asks reports whether a step is a request that belongs to its exchange.
func asks(s *recording.Step) bool { return s.Request && s.Method != rootsList }

// respond returns the recorded response to the next request of a method.
func (r *responder) respond(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if method == rootsList {
		return r.roots, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.steps {
		if !s.Request || s.Method != method || r.used[s] {
			continue
		}
		if r.used == nil {
			r.used = map[*recording.Step]bool{}
		}
		r.used[s] = true
		if len(s.Params) > 0 && len(params) > 0 {
			r.comparison.values("/"+method, "", s.Params, params, 0)
		}
		if s.Refused != nil {
			return nil, s.Refused
		}
		if s.Reply != nil {
			return s.Reply, nil
		}
		return nil, errNotRecorded
	}
	r.comparison.add("/"+method, Request, rawjson.Quote("no request"), rawjson.Quote("a request"))
	return nil, errNotRecorded
}

// finish returns the differences, with the recorded requests that the server did not send.
func (r *responder) finish() []change {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.steps {
		if asks(s) && !r.used[s] {
			r.comparison.add("/"+s.Method, Request, rawjson.Quote("a request"), rawjson.Quote("no request"))
		}
	}
	return r.comparison.changes
}

// Client returns the handlers of a client with the capabilities of the recorded one. They answer requests of the
// server that belong to no call, as the recorded client did.
func Client(s *recording.Session) mcp.Options {
	events := &responder{comparison: &comparison{}}
	for _, e := range s.Events {
		events.steps = append(events.steps, &e.Step)
	}
	handler := func(method string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
			return events.respond(ctx, method, params)
		}
	}
	has := serve.Members(s.Capabilities)
	o := mcp.Options{Protocol: s.Protocol, OnNotification: func(mcp.Message) {}}
	if has["elicitation"] != nil {
		o.Elicitation = handler("elicitation/create")
	}
	if has["sampling"] != nil {
		o.Sampling = handler("sampling/createMessage")
	}
	o.Extensions = serve.Members(has["extensions"])
	o.Tasks = has["tasks"] != nil || o.Extensions[mcp.TasksExtension] != nil
	if has["roots"] != nil {
		roots := rootsOf(s)
		o.Roots = func(context.Context) (json.RawMessage, error) { return roots, nil }
	}
	return o
}

// rootsOf returns the last recorded answer to roots/list.
func rootsOf(s *recording.Session) json.RawMessage {
	roots := json.RawMessage(`{"roots":[]}`)
	note := func(step *recording.Step) {
		if step.Request && step.Method == rootsList && step.Reply != nil {
			roots = step.Reply
		}
	}
	for _, x := range s.Exchanges {
		for _, step := range x.Steps {
			note(step)
		}
	}
	for _, e := range s.Events {
		note(&e.Step)
	}
	return roots
}
