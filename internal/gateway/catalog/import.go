package catalog

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// An Imported is the result of an import.
type Imported struct {
	Added     []Key `json:"added"`
	Updated   []Key `json:"updated"`
	Unchanged []Key `json:"unchanged"`
	Skipped   []Key `json:"skipped,omitempty"` // set by a gateway: tools that are listed by their servers
}

// Import copies tools from another catalog, all or none. New ones keep their registration time. An existing tool with
// another definition is replaced if replace is set; otherwise a *ConflictError names it. Versions are those of this
// catalog.
func (c *Catalog) Import(ctx context.Context, tools []Tool, replace bool) (Imported, error) {
	if err := c.Refresh(ctx); err != nil {
		return Imported{}, err
	}
	var did Imported
	var changes []store.Change
	seen := map[Key]bool{}
	for i := range tools {
		t := tools[i].clone()
		if seen[t.Key()] {
			return Imported{}, &InvalidError{Key: t.Key(), Problem: "duplicate tool in the import"}
		}
		seen[t.Key()] = true
		change, list, err := c.imported(&t, replace, &did)
		if err != nil {
			return Imported{}, err
		}
		*list = append(*list, t.Key())
		if list != &did.Unchanged {
			changes = append(changes, change)
		}
	}
	if len(changes) == 0 {
		return did, nil
	}
	return did, c.commit(ctx, changes)
}

// imported returns the change for a tool, and the list to add it to.
func (c *Catalog) imported(t *Tool, replace bool, did *Imported) (store.Change, *[]Key, error) {
	if err := t.check(); err != nil {
		return store.Change{}, nil, err
	}
	if t.Source == "" {
		t.Source = Registered
	}
	now := c.now().UTC()
	t.UpdatedAt = now
	list, seen := &did.Added, 0
	if old, err := c.Get(t.Key()); err == nil {
		if old.sameDefinition(t) {
			return store.Change{}, &did.Unchanged, nil
		}
		if !replace {
			return store.Change{}, nil, &ConflictError{Key: t.Key(), Actual: old.Version}
		}
		list, seen, t.RegisteredAt = &did.Updated, old.Version, old.RegisteredAt
	}
	if t.RegisteredAt.IsZero() {
		t.RegisteredAt = now
	}
	body, err := t.body()
	return store.Change{Key: t.Key(), Seen: seen, Body: body}, list, err
}
