package catalog

import (
	"context"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A Skipped is a tool that ReplaceServer skipped, and why.
type Skipped struct {
	Key    Key
	Reason error
}

// ReplaceServer replaces the tools of a server with those that it now lists. Unchanged tools keep their version and
// times; tools that are no longer listed are removed; the server is no longer stale. Tools that were registered under
// the server's name stay unchanged. One tool that cannot be stored does not hide others: it is returned.
func (c *Catalog) ReplaceServer(ctx context.Context, server string, tools []Tool) ([]Skipped, error) {
	for attempt := 0; ; attempt++ {
		changes, skipped, err := c.difference(server, tools)
		if err == nil && len(changes) > 0 {
			err = c.commit(ctx, changes)
		}
		if !isRace(err) || attempt == maxRaces {
			if err == nil {
				c.SetStale(server, false)
			}
			return skipped, err
		}
	}
}

// maxRaces is how often ReplaceServer retries because another process changed the same server.
const maxRaces = 20

func isRace(err error) bool {
	var conflict *ConflictError
	var missing *NotFoundError
	return errors.As(err, &conflict) || errors.As(err, &missing)
}

func (c *Catalog) commit(ctx context.Context, changes []store.Change) error {
	records, err := c.store.Commit(ctx, changes...)
	if err != nil {
		return c.failed(ctx, err)
	}
	return c.apply(records, false)
}

// difference is the list of changes so that the server has these tools.
func (c *Catalog) difference(server string, tools []Tool) (changes []store.Change, skipped []Skipped, err error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	listed := map[Key]bool{}
	now := c.now().UTC()
	for i := range tools {
		t := tools[i].clone()
		t.Server, t.Source = server, FromUpstream
		old := c.stored(t.Key())
		if reason := c.rejectReason(&t, old, listed); reason != nil {
			skipped = append(skipped, Skipped{Key: t.Key(), Reason: reason})
			continue
		}
		listed[t.Key()] = true
		change, ok, err := replacement(&t, old, now)
		if err != nil {
			skipped = append(skipped, Skipped{Key: t.Key(), Reason: err})
		} else if ok {
			changes = append(changes, change)
		}
	}
	for _, tools := range []map[Key]*Tool{c.tools, c.hidden} {
		for key, old := range tools {
			if key.Server == server && old.Source == FromUpstream && !listed[key] {
				changes = append(changes, store.Change{Key: key, Seen: old.Version})
			}
		}
	}
	return changes, skipped, nil
}

// stored returns a tool, visible or not.
func (c *Catalog) stored(key Key) *Tool {
	if t := c.tools[key]; t != nil {
		return t
	}
	return c.hidden[key]
}

// rejectReason returns why a listed tool cannot be stored.
func (c *Catalog) rejectReason(t, old *Tool, listed map[Key]bool) error {
	if err := t.check(); err != nil {
		return err
	}
	if listed[t.Key()] {
		return &InvalidError{Key: t.Key(), Problem: "the server lists two tools with this name; using the first"}
	}
	if old != nil && old.Source != FromUpstream {
		return &ConflictError{Key: t.Key(), Actual: old.Version}
	}
	return nil
}

// replacement is the change from the old tool to the new one; there is none if they are equal.
func replacement(t, old *Tool, now time.Time) (change store.Change, differs bool, err error) {
	seen := 0
	t.RegisteredAt, t.UpdatedAt = now, now
	if old != nil {
		if t.sameDefinition(old) {
			return change, false, nil
		}
		seen, t.RegisteredAt = old.Version, old.RegisteredAt
	}
	body, err := t.body()
	return store.Change{Key: t.Key(), Seen: seen, Body: body}, true, err
}

// SetStale marks the tools of a server that does not respond, or removes the mark. It applies to this process only: it
// is not stored and changes no version.
func (c *Catalog) SetStale(server string, stale bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stale[server] == stale {
		return
	}
	if stale {
		c.stale[server] = true
	} else {
		delete(c.stale, server)
	}
	var changes []Change
	for key, old := range c.tools {
		if key.Server != server || old.Source != FromUpstream || old.Stale == stale {
			continue
		}
		t := *old
		t.Stale = stale
		changes = append(changes, c.remark(old, &t))
	}
	c.notify(changes)
}

// SetQuarantined marks the tools of a server that may not be called, by name with the reason, and removes the mark from
// the others. Like SetStale, it applies to this process only.
func (c *Catalog) SetQuarantined(server string, reasons map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(reasons) == 0 && len(c.locked[server]) == 0 {
		return
	}
	if c.locked == nil {
		c.locked = map[string]map[string]string{}
	}
	c.locked[server] = reasons
	var changes []Change
	for key, old := range c.tools {
		if key.Server != server || old.Source != FromUpstream || old.Quarantined == reasons[key.Name] {
			continue
		}
		t := *old
		t.Quarantined = reasons[key.Name]
		changes = append(changes, c.remark(old, &t))
	}
	c.notify(changes)
}

// remark replaces a tool with one that differs in its marks. The catalog is locked.
func (c *Catalog) remark(old, t *Tool) Change {
	c.index.swap(old, t)
	c.tools[t.Key()], c.order = t, nil
	return Change{Kind: Updated, Tool: *t}
}
