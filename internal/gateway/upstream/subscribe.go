package upstream

import (
	"context"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// subscriptions are the resources that clients subscribed to, preserved across restarts of the server.
type subscriptions struct {
	server *Server

	mu        sync.Mutex
	requested map[string]int                // clients by URI
	open      map[string]context.CancelFunc // in the current session
	lists     chan struct{}                 // closed when a list has changed
}

func (s *subscriptions) init(server *Server) {
	s.server, s.requested, s.open, s.lists = server, map[string]int{}, map[string]context.CancelFunc{},
		make(chan struct{})
}

func (s *subscriptions) listChanges() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists
}

func (s *subscriptions) listsChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.lists)
	s.lists = make(chan struct{})
}

// Subscribe subscribes to changes of a resource at the server, until the returned function is called.
func (s *Server) Subscribe(ctx context.Context, uri string) (cancel func(), err error) {
	session, err := s.first.get(ctx)
	if err != nil {
		return nil, err
	}
	s.subs.mu.Lock()
	s.subs.requested[uri]++
	first := s.subs.requested[uri] == 1
	s.subs.mu.Unlock()
	var once sync.Once
	cancel = func() { once.Do(func() { s.subs.release(uri) }) }
	if first {
		if err := s.subs.listen(ctx, session, uri); err != nil {
			cancel()
			return nil, err
		}
	}
	return cancel, nil
}

// release removes the subscription of one client.
func (s *subscriptions) release(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requested[uri]--; s.requested[uri] > 0 {
		return
	}
	delete(s.requested, uri)
	if cancel := s.open[uri]; cancel != nil {
		cancel()
		delete(s.open, uri)
	}
}

// renew subscribes to all resources in a new session.
func (s *subscriptions) renew(ctx context.Context, session *mcp.Session) {
	s.mu.Lock()
	var uris []string
	for uri := range s.requested {
		uris = append(uris, uri)
	}
	s.mu.Unlock()
	for _, uri := range uris {
		if err := s.listen(ctx, session, uri); err != nil && ctx.Err() == nil {
			s.server.opts.Log.Warn("cannot renew a subscription", "server", s.server.Name, "error", err.Error())
		}
	}
}

// listen subscribes to one resource and forwards its notifications.
func (s *subscriptions) listen(ctx context.Context, session *mcp.Session, uri string) error {
	sub, err := session.Listen(ctx, mcp.Filter{URIs: []string{uri}})
	if err != nil {
		return err
	}
	lasting, cancel := context.WithCancel(s.server.ctx)
	s.mu.Lock()
	if old := s.open[uri]; old != nil {
		old()
	}
	s.open[uri] = cancel
	s.mu.Unlock()
	s.server.wg.Go(func() {
		defer cancel()
		defer sub.Close()
		for {
			m, ok, err := sub.Next(lasting)
			if !ok || err != nil {
				return
			}
			if m.Method == "notifications/resources/updated" && s.server.opts.OnUpdated != nil {
				s.server.opts.OnUpdated(s.server, uri)
			}
		}
	})
	return nil
}
