package inspector

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A surfaceMemory compares what a server offers with what the user last saw of it. The old state is replaced only by
// an equal one or by the user, so that a change is shown until the user has dismissed it.
type surfaceMemory struct {
	mu       sync.Mutex
	key      string
	old, now *storedSurface
}

// watchSurface compares after the connection was opened and whenever the page has read a list, until the session ends.
// It sends no requests: it uses what the page reads.
func (c *conn) watchSurface(ctx context.Context, link *connections.Link) {
	e := c.origin()
	if c.inspector.surfaces.dir == "" || e == nil {
		return
	}
	c.memory.start(c.inspector.surfaces, surfaceKey(e.shown.ID, c.snapshot().Address))
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
func (c *conn) surfaceNow(link *connections.Link) *storedSurface {
	s, clean := link.Session, c.inspector.bench.Secrets.Exact
	redacted := func(raw json.RawMessage) json.RawMessage {
		if text := json.RawMessage(clean(string(raw))); json.Valid(text) {
			return text
		}
		return json.RawMessage(`{}`)
	}
	out := &storedSurface{At: time.Now().UTC().Truncate(time.Second), Name: clean(schema.TextAt(s.Server, "/name")),
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

func (m *surfaceMemory) start(store *surfaceStore, key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.key, m.old, m.now = key, store.read(key), nil
}

// look compares the present state with the old one, and stores what the old one does not know.
func (m *surfaceMemory) look(store *surfaceStore, now *storedSurface) *SurfaceChanges {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = now
	if m.old == nil {
		m.accept(store)
		return nil
	}
	changes := describeChanges(m.old.compare(now), m.old.At)
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
		_ = store.write(m.key, m.old) // see write
	}
	return changes
}

// dismiss makes the present state the old one.
func (m *surfaceMemory) dismiss(store *surfaceStore) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.now != nil {
		m.accept(store)
	}
}

func (m *surfaceMemory) accept(store *surfaceStore) {
	if m.old == nil {
		m.old = &storedSurface{}
	}
	m.old = m.old.with(m.now)
	_ = store.write(m.key, m.old) // see write
}
