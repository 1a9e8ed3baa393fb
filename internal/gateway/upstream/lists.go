package upstream

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// coalesce is how long further changes are waited for before a list is read again.
const coalesce = 100 * time.Millisecond

// follow reads the server's lists, and again whenever they change. What was read last stays when the server goes.
func (l *line) follow(ctx context.Context, session *mcp.Session) {
	s := l.server
	if s.opts.OnState != nil {
		s.opts.OnState(s, true)
	}
	s.subs.renew(ctx, session)
	if session.Era == mcp.Modern {
		l.listen(ctx, session)
	}
	for wait := minBackoff; ; {
		changes := s.subs.listChanges()
		surface, err := session.Surface(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			l.alive()
			s.surface.Store(surface)
			if s.opts.OnSurface != nil {
				s.opts.OnSurface(s)
			}
			wait = minBackoff
			select {
			case <-changes:
				time.Sleep(coalesce)
			case <-ctx.Done():
				return
			}
			continue
		}
		s.opts.Log.Warn("upstream lists cannot be read", "server", s.Name, "error", err.Error())
		select {
		case <-time.After(wait):
			wait = min(2*wait, maxBackoff)
		case <-ctx.Done():
			return
		}
	}
}

// listen asks a server of the newer era to tell when its lists change.
func (l *line) listen(ctx context.Context, session *mcp.Session) {
	f := mcp.Filter{Tools: session.Declares("tools"), Prompts: session.Declares("prompts"), Resources: session.Declares("resources")}
	sub, err := session.Listen(ctx, f)
	if err != nil {
		return // a server need not have such a stream
	}
	l.server.wg.Go(func() {
		defer sub.Close()
		for {
			if _, ok, err := sub.Next(ctx); !ok || err != nil {
				return
			} // the session tells of it too
		}
	})
}

// changed hears of notifications about lists.
func (s *Server) changed(method string) {
	switch method {
	case "notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/prompts/list_changed":
		s.subs.listsChanged()
	}
}
