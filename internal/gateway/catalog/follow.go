package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// Refresh catches up with the store: afterwards the catalog shows all that any process was acknowledged before the call.
func (c *Catalog) Refresh(ctx context.Context) error {
	c.mu.RLock()
	since := c.revision
	c.mu.RUnlock()
	records, err := c.store.Since(ctx, since)
	if err != nil {
		return err
	}
	return c.apply(records, true)
}

// apply shows records. They are complete if nothing that the store changed before the last of them is missing.
func (c *Catalog) apply(records []store.Record, complete bool) error {
	tools, err := decode(records)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var changes []Change
	for i, r := range records {
		if complete {
			c.revision = max(c.revision, r.Revision)
		}
		if c.seen[r.Key] >= r.Revision {
			continue
		}
		c.seen[r.Key] = r.Revision
		if change, ok := c.set(r.Key, tools[i]); ok {
			changes = append(changes, change)
		}
	}
	c.index.settle()
	c.tell(changes)
	return nil
}

// set puts a tool under its key, or takes it away where it is nil.
func (c *Catalog) set(key Key, t *Tool) (Change, bool) {
	old := c.tools[key]
	c.order = nil
	if old != nil {
		c.index.remove(old)
		delete(c.tools, key)
	}
	if t == nil {
		if old == nil {
			return Change{}, false
		}
		return Change{Kind: Removed, Tool: *old}, true
	}
	t.Stale = t.Source == FromUpstream && c.stale[t.Server]
	c.tools[key] = t
	c.index.add(t)
	if old == nil {
		return Change{Kind: Added, Tool: *t}, true
	}
	return Change{Kind: Updated, Tool: *t}, true
}

func decode(records []store.Record) ([]*Tool, error) {
	out := make([]*Tool, len(records))
	for i, r := range records {
		if r.Body == nil {
			continue
		}
		t := &Tool{}
		if err := json.Unmarshal(r.Body, t); err != nil {
			return nil, fmt.Errorf("read the tool %s from the store: %w", r.Key, err)
		}
		t.Server, t.Name, t.Version = r.Key.Server, r.Key.Name, r.Version
		out[i] = t
	}
	return out, nil
}
