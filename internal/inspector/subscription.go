package inspector

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// maxSubscriptions is the maximum number of subscriptions per connection.
const maxSubscriptions = 256

// A subscription watches one resource. The connection's mutex guards what it shows.
type subscription struct {
	shown  view.Subscription
	cancel context.CancelFunc
	done   chan struct{}
}

// Subscribe subscribes to updates of a resource.
func (i *Inspector) Subscribe(id, uri string) (view.Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Link{}, err
	}
	link, err := c.session()
	if err != nil {
		return view.Link{}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &subscription{shown: view.Subscription{URI: uri, State: "opening"}, cancel: cancel, done: make(chan struct{})}
	c.mu.Lock()
	c.subs = slices.DeleteFunc(c.subs, func(old *subscription) bool {
		return old.shown.State == "ended" &&
			old.shown.URI == uri
	})
	taken := slices.ContainsFunc(c.subs, func(old *subscription) bool { return old.shown.URI == uri })
	full := len(c.subs) >= maxSubscriptions
	if !taken && !full {
		c.subs = append(c.subs, s)
	}
	c.mu.Unlock()
	switch {
	case full:
		cancel()
		return view.Link{}, view.Usage("subscription limit reached (%d)",
			maxSubscriptions).WithHint("cancel one of the subscriptions")
	case taken:
		cancel()
		return c.snapshot(), nil
	}
	go func() {
		defer close(s.done)
		c.watch(ctx, link, s)
	}()
	c.notifyLink()
	return c.snapshot(), nil
}

// watch runs a subscription from start to end.
func (c *conn) watch(ctx context.Context, link *connections.Link, s *subscription) {
	sub, err := link.Session.Listen(ctx, mcp.Filter{URIs: []string{s.shown.URI}})
	c.mu.Lock()
	s.shown.State = "open"
	c.mu.Unlock()
	for err == nil {
		c.notifyLink()
		var ok bool
		if _, ok, err = sub.Next(ctx); !ok {
			break
		}
		moment := time.Now()
		c.mu.Lock()
		s.shown.Updates++
		s.shown.Last = &moment
		c.mu.Unlock()
		uri := s.shown.URI
		c.notify("updated/"+uri, func() (view.Event, bool) {
			return view.Event{Kind: "resource_updated", Link: c.id, URI: uri},
				true
		})
	}
	if sub != nil {
		sub.Close()
	}
	c.mu.Lock()
	if s.shown.State = "ended"; err != nil && ctx.Err() == nil {
		s.shown.Problem = c.inspector.Problem(err)
	}
	c.mu.Unlock()
	c.notifyLink()
}

// Unsubscribe cancels the subscription of a resource.
func (i *Inspector) Unsubscribe(id, uri string) (view.Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Link{}, err
	}
	c.mu.Lock()
	at := slices.IndexFunc(c.subs, func(s *subscription) bool { return s.shown.URI == uri })
	var s *subscription
	if at >= 0 {
		s = c.subs[at]
		c.subs = slices.Delete(c.subs, at, at+1)
	}
	c.mu.Unlock()
	if s == nil {
		return view.Link{}, view.NotFound("no subscription to %q", uri)
	}
	s.cancel()
	<-s.done
	c.notifyLink()
	return c.snapshot(), nil
}

// endSubscriptions cancels all of them, after the session has ended.
func (c *conn) endSubscriptions() {
	c.mu.Lock()
	subs := slices.Clone(c.subs)
	c.mu.Unlock()
	for _, s := range subs {
		s.cancel()
		<-s.done
	}
}
