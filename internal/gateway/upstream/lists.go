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
func (l *line) follow(ctx context.Context, session *mcp.Session) {
	s := l.server
	if s.opts.OnState != nil {
		s.opts.OnState(s, true)
	}
	s.subs.renew(ctx, session)
	if session.Era == spec.Modern {
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
func (l *line) listen(ctx context.Context, session *mcp.Session) {
	f := mcp.Filter{Tools: session.Declares("tools"), Prompts: session.Declares("prompts"), Resources: session.Declares("resources")}
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
	case "notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/prompts/list_changed":
		s.subs.listsChanged()
	}
}
