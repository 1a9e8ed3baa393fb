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
	requested map[string]int               // clients by URI
	open      map[string]*openSubscription // the latest of each URI
	lists     chan struct{}                // closed when a list has changed
}

// An openSubscription is a subscription in one session.
type openSubscription struct {
	session *mcp.Session
	cancel  context.CancelFunc
	done    chan struct{} // closed when the server has responded
	err     error         // once done is closed
}

func (s *subscriptions) init(server *Server) {
	s.server, s.requested, s.open, s.lists = server, map[string]int{}, map[string]*openSubscription{},
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
	if one := s.open[uri]; one != nil {
		one.cancel()
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

// listen subscribes to one resource and forwards its notifications. In one session it does so once, although a new
// session is used by clients while its subscriptions are renewed: a server that ends one of two subscriptions to a
// resource may end both.
func (s *subscriptions) listen(ctx context.Context, session *mcp.Session, uri string) error {
	s.mu.Lock()
	old := s.open[uri]
	if old != nil && old.session == session {
		s.mu.Unlock()
		select {
		case <-old.done:
			return old.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	lasting, cancel := context.WithCancel(s.server.ctx)
	one := &openSubscription{session: session, cancel: cancel, done: make(chan struct{})}
	s.open[uri] = one
	s.mu.Unlock()
	if old != nil {
		old.cancel()
	}
	defer close(one.done)
	sub, err := session.Listen(ctx, mcp.Filter{URIs: []string{uri}})
	if one.err = err; err != nil {
		cancel()
		s.mu.Lock()
		if s.open[uri] == one {
			delete(s.open, uri)
		}
		s.mu.Unlock()
		return err
	}
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
