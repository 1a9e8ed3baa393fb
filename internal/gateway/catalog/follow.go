package catalog

import (
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// Refresh catches up with the store: afterwards the catalog shows all that any process was acknowledged before the call.
func (c *Catalog) Refresh(ctx context.Context) error {
	c.mu.RLock()
	since := c.revision
	c.mu.RUnlock()
	records, err := c.store.Since(ctx, since)
	var gap *store.GapError
	if errors.As(err, &gap) {
		return c.reload(ctx)
	}
	if err != nil {
		return &StoreError{err}
	}
	return c.apply(records, true)
}

// reload reads everything anew, when the store has forgotten what was removed since this process last asked: what it does
// not have any more was removed.
func (c *Catalog) reload(ctx context.Context) error {
	revision, err := c.store.Revision(ctx)
	if err != nil {
		return &StoreError{err}
	}
	records, err := c.store.Since(ctx, 0)
	if err != nil {
		return &StoreError{err}
	}
	if err := c.apply(records, true); err != nil {
		return err
	}
	there := make(map[Key]bool, len(records))
	for _, r := range records {
		there[r.Key] = true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var changes []Change
	for key, seen := range c.seen {
		if there[key] || seen > revision {
			continue // it is there, or came later
		}
		c.seen[key] = revision // so that what somebody read before does not bring it back
		if change, ok := c.set(key, readTool{}); ok {
			changes = append(changes, change)
		}
	}
	c.revision = max(c.revision, revision)
	c.index.settle()
	c.tell(changes)
	return nil
}

// apply shows records. They are complete if nothing that the store changed before the last of them is missing.
func (c *Catalog) apply(records []store.Record, complete bool) error {
	if len(records) == 0 {
		return nil
	}
	last := records[len(records)-1].Revision
	records = c.unknown(records)
	read := reading(records)
	defer read.wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	var changes []Change
	for i, r := range records {
		tool, err := read.next(i)
		if err != nil {
			return err
		}
		if c.seen[r.Key] >= r.Revision {
			continue // another goroutine was faster
		}
		c.seen[r.Key] = r.Revision
		if change, ok := c.set(r.Key, tool); ok {
			changes = append(changes, change)
		}
	}
	if complete {
		c.revision = max(c.revision, last)
	}
	c.index.settle()
	c.tell(changes)
	return nil
}

// unknown returns the records that are newer than what is shown.
func (c *Catalog) unknown(records []store.Record) []store.Record {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make([]store.Record, 0, len(records))
	for _, r := range records {
		if c.seen[r.Key] < r.Revision {
			out = append(out, r)
		}
	}
	return out
}

// set puts a tool under its key, or takes it away where there is none.
func (c *Catalog) set(key Key, r readTool) (Change, bool) {
	old, t := c.tools[key], r.tool
	c.order = nil
	delete(c.hidden, key)
	if t != nil && !c.shows(t) {
		c.hidden[key], t = t, nil
	}
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
	c.index.insert(t, r.words)
	if old == nil {
		return Change{Kind: Added, Tool: *t}, true
	}
	return Change{Kind: Updated, Tool: *t}, true
}
