package inspector

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/inspector/surfacestore"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A surfaceMemory compares what a server offers with what the user last saw of it. The old state is replaced only by
// an equal one or by the user, so that a change is shown until the user has dismissed it.
type surfaceMemory struct {
	mu       sync.Mutex
	key      string
	old, now *surfacestore.Surface
}

// watchSurface compares after the connection was opened and whenever the page has read a list, until the session ends.
// It sends no requests: it uses what the page reads.
func (c *conn) watchSurface(ctx context.Context, link *connections.Link) {
	e := c.origin()
	if c.inspector.surfaces.Dir == "" || e == nil {
		return
	}
	c.memory.start(c.inspector.surfaces, surfacestore.Key(e.shown.ID, c.snapshot().Address))
	for {
		changes := c.memory.look(c.inspector.surfaces, c.surfaceNow(link))
		c.mu.Lock()
		known := c.changes
		c.changes = changes
		c.mu.Unlock()
		if known != nil || changes != nil {
			c.notifyLink()
		}
		select {
		case <-ctx.Done():
			return
		case <-c.listed:
		}
	}
}

// surfaceNow is what the page has read of the server, without secrets.
func (c *conn) surfaceNow(link *connections.Link) *surfacestore.Surface {
	s, clean := link.Session, c.inspector.bench.Secrets.Exact
	redacted := func(raw json.RawMessage) json.RawMessage {
		if text := json.RawMessage(clean(string(raw))); json.Valid(text) {
			return text
		}
		return json.RawMessage(`{}`)
	}
	out := &surfacestore.Surface{At: time.Now().UTC().Truncate(time.Second), Name: clean(schema.TextAt(s.Server, "/name")),
		Version: clean(schema.TextAt(s.Server, "/version")), Protocol: s.Version, Instructions: clean(s.Instructions),
		Lists: map[string][]json.RawMessage{}}
	if s.Capabilities != nil {
		out.Capabilities = redacted(s.Capabilities)
	}
	c.mu.Lock()
	lists := map[string]*mcp.List{}
	for kind, list := range c.lists {
		lists[kind] = list
	}
	c.mu.Unlock()
	for kind, list := range lists {
		if list.Refused != nil || len(list.Problems) > 0 {
			continue // what could not be read would count as removed
		}
		all := []json.RawMessage{}
		for _, item := range list.Items {
			all = append(all, redacted(item.Raw))
		}
		out.Lists[kind] = all
	}
	return out
}

// listRead notes that the page has read a list.
func (c *conn) listRead() {
	select {
	case c.listed <- struct{}{}:
	default: // the comparison that is due will see it
	}
}

func (m *surfaceMemory) start(store *surfacestore.Store, key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.key, m.old, m.now = key, store.Read(key), nil
}

// look compares the present state with the old one, and stores what the old one does not know.
func (m *surfaceMemory) look(store *surfacestore.Store, now *surfacestore.Surface) *SurfaceChanges {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = now
	if m.old == nil {
		m.accept(store)
		return nil
	}
	changes := describeChanges(m.old.Compare(now), m.old.At)
	if changes == nil {
		m.accept(store)
		return nil
	}
	added := false
	for kind, list := range now.Lists {
		if m.old.Lists[kind] == nil {
			m.old.Lists[kind], added = list, true
		}
	}
	if added {
		_ = store.Write(m.key, m.old) // see write
	}
	return changes
}

// dismiss makes the present state the old one.
func (m *surfaceMemory) dismiss(store *surfacestore.Store) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.now != nil {
		m.accept(store)
	}
}

func (m *surfaceMemory) accept(store *surfacestore.Store) {
	if m.old == nil {
		m.old = &surfacestore.Surface{}
	}
	m.old = m.old.With(m.now)
	_ = store.Write(m.key, m.old) // see write
}
