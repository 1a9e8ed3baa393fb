package catalog

import (
	"context"
	"errors"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// Refresh catches up with the store: afterwards the catalog includes everything that was acknowledged to any process
// before the call.
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

// reload reads everything again, if the store has pruned removals since this process last read it: a tool that it no
// longer has was removed.
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
			continue // it exists, or was added later
		}
		c.seen[key] = revision // so that an outdated read does not restore it
		if isReview(key) {
			c.setReview(key, 0, nil)
			continue
		}
		if change, ok := c.set(key, readTool{}); ok {
			changes = append(changes, change)
		}
	}
	c.revision = max(c.revision, revision)
	c.index.settle()
	c.notify(changes)
	return nil
}

// apply makes records visible. They are complete if no earlier change of the store is missing.
func (c *Catalog) apply(records []store.Record, complete bool) error {
	if len(records) == 0 {
		return nil
	}
	last := records[len(records)-1].Revision
	records = c.applyReviews(c.unknown(records))
	read := reading(records)
	defer read.wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	var changes []Change
	var failed error
	applied := false
	for i, r := range records {
		tool, err := read.next(i)
		if err != nil {
			failed = err
			break
		}
		if c.seen[r.Key] >= r.Revision {
			continue // another goroutine was faster
		}
		c.seen[r.Key] = r.Revision
		applied = true
		if change, ok := c.set(r.Key, tool); ok {
			changes = append(changes, change)
		}
	}
	if complete && failed == nil {
		c.revision = max(c.revision, last)
	}
	if applied {
		c.index.settle() // also after an error: the tools before it are in the index
	}
	c.notify(changes)
	return failed
}

// unknown returns the records that are newer than what is shown. Those of accounts are not part of the catalog.
func (c *Catalog) unknown(records []store.Record) []store.Record {
	c.mu.RLock()
	defer c.mu.RUnlock()
	out := make([]store.Record, 0, len(records))
	for _, r := range records {
		if c.seen[r.Key] < r.Revision && !strings.HasPrefix(r.Key.Server, store.AccountMark) {
			out = append(out, r)
		}
	}
	return out
}

// set stores a tool under its key, or removes it if it is nil.
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
	if t.Source == FromUpstream {
		t.Quarantined = c.locked[t.Server][t.Name]
	}
	c.tools[key] = t
	c.index.insert(t, r.words)
	if old == nil {
		return Change{Kind: Added, Tool: *t}, true
	}
	return Change{Kind: Updated, Tool: *t}, true
}
