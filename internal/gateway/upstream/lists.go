package upstream

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// coalesce is the time to wait for further changes before a list is read again.
const coalesce = 100 * time.Millisecond

// follow reads the server's lists, and again whenever they change. The last lists are kept when the server is down.
func (l *conn) follow(ctx context.Context, session *mcp.Session) {
	s := l.server
	if s.opts.OnState != nil {
		s.opts.OnState(s, true)
	}
	s.subs.renew(ctx, session)
	if session.Era == spec.Modern {
		l.listen(ctx, session)
	}
	for wait := minBackoff; ; {
		changes, announced, id, begun := s.subs.listChanges(), s.listed.current(), session.ID(), time.Now()
		surface, err := session.Surface(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			l.markActive()
			s.surface.Store(surface)
			if s.opts.OnLists != nil {
				s.opts.OnLists(s, session, surface)
			}
			s.listed.done(announced, id)
			if s.opts.OnSurface != nil {
				s.opts.OnSurface(s)
			}
			wait = minBackoff
			recheck := s.recheck()
			select {
			case <-changes:
				if recheck == nil {
					time.Sleep(coalesce)
				} else { // calls wait for the lists: the first change is read immediately
					time.Sleep(coalesce - time.Since(begun))
				}
			case <-recheck:
			case <-ctx.Done():
				return
			}
			continue
		}
		s.opts.Log.Warn("cannot read upstream lists", "server", s.Name, "error", err.Error())
		select {
		case <-time.After(wait):
			wait = min(2*wait, maxBackoff)
		case <-ctx.Done():
			return
		}
	}
}

// listen subscribes to list changes of a modern server.
func (l *conn) listen(ctx context.Context, session *mcp.Session) {
	f := mcp.Filter{Tools: session.Declares("tools"), Prompts: session.Declares("prompts"),
		Resources: session.Declares("resources")}
	sub, err := session.Listen(ctx, f)
	if err != nil {
		return // a server may not support such a stream
	}
	l.server.wg.Go(func() {
		defer sub.Close()
		for {
			if _, ok, err := sub.Next(ctx); !ok || err != nil {
				return
			} // the session also reports it
		}
	})
}

// changed handles list change notifications.
func (s *Server) changed(method string) {
	switch method {
	case "notifications/tools/list_changed", "notifications/resources/list_changed",
		"notifications/prompts/list_changed":
		s.listed.announce()
		s.subs.listsChanged()
	}
}

// recheck returns a channel for the next reading without an announced change; nil if there is none.
func (s *Server) recheck() <-chan time.Time {
	if s.opts.Recheck == nil {
		return nil
	}
	if every := s.opts.Recheck(); every > 0 {
		return time.After(every)
	}
	return nil
}

// Relist reads the lists again. AwaitLists waits for it.
func (s *Server) Relist() {
	s.listed.announce()
	s.subs.listsChanged()
}

// AwaitLists waits until the lists that were announced before the call have been read and passed to OnLists: those of
// a new session, and those after a change notification.
func (s *Server) AwaitLists(ctx context.Context) error {
	if session := s.first.open(); session != nil && s.listed.expired(session.ID()) {
		s.Relist() // the HTTP session was replaced: the server may have been, too
	}
	return s.listed.await(ctx, s.ctx)
}
