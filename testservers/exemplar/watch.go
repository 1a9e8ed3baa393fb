package exemplar

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A watcher receives change notifications.
type watcher struct{ notify func(method, params string) }

// notify notifies all watchers.
func (s *Server) notify(method, params string) {
	s.mu.Lock()
	var all []*watcher
	for w := range s.watchers {
		all = append(all, w)
	}
	s.mu.Unlock()
	for _, w := range all {
		w.notify(method, params)
	}
}

// Broadcast notifies the clients of all connections, which no clean server does.
func (c *Call) Broadcast(method, params string) { c.Server.notify(method, params) }

// watch registers a watcher until the returned function is called.
func (s *Server) watch(notify func(method, params string)) (stop func()) {
	w := &watcher{notify}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers == nil {
		s.watchers = map[*watcher]bool{}
	}
	s.watchers[w] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, w)
	}
}

// hear notifies a client up to 2025-11-25 of subscribed changes.
func (p *Peer) hear(method, params string) {
	p.mu.Lock()
	send, watched, open := p.send, p.watched[text(json.RawMessage(params), "uri")], p.revision != ""
	p.mu.Unlock()
	if send != nil && open && (method != "notifications/resources/updated" || watched) {
		send([]byte(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`))
	}
}

func (c *Call) subscribe() []byte {
	uri := text(c.Params, "uri")
	if uri == "" {
		return c.fail(serve.CodeInvalidParams, "uri is required and is a string")
	}
	c.Peer.mu.Lock()
	defer c.Peer.mu.Unlock()
	if c.Peer.watched == nil {
		c.Peer.watched = map[string]bool{}
	}
	c.Peer.watched[uri] = c.Method == "resources/subscribe"
	return c.Result(`{}`)
}

// listen serves a subscription of 2026-07-28 until it is cancelled.
func (c *Call) listen() []byte {
	var in struct {
		Notifications struct {
			ToolsListChanged, PromptsListChanged, ResourcesListChanged bool
			ResourceSubscriptions, TaskIDs                             []string
		}
	}
	if json.Unmarshal(c.Params, &in) != nil {
		return c.fail(serve.CodeInvalidParams, "notifications is required")
	}
	if in.Notifications.TaskIDs != nil && !c.extension() {
		return c.missing(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
	}
	want := map[string]bool{"notifications/tools/list_changed": in.Notifications.ToolsListChanged,
		"notifications/prompts/list_changed":   in.Notifications.PromptsListChanged,
		"notifications/resources/list_changed": in.Notifications.ResourcesListChanged}
	tag := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/subscriptionId":%s}`, c.ID)
	c.Notify("notifications/subscriptions/acknowledged",
		`{`+tag+`,"notifications":`+string(serve.Members(c.Params)["notifications"])+`}`)
	defer c.Server.watch(func(method, params string) {
		if !want[method] && !slices.Contains(in.Notifications.ResourceSubscriptions,
			text(json.RawMessage(params), "uri")) {
			return
		}
		rest := params[1:]
		if rest != "}" {
			rest = "," + rest
		}
		c.Notify(method, `{`+tag+rest)
	})()
	<-c.Ctx.Done()
	return nil
}
