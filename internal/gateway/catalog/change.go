package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// Register adds a tool and returns it with its version and times. A *ConflictError means that it already exists.
func (c *Catalog) Register(ctx context.Context, t Tool) (Tool, error) {
	if t.Source == "" {
		t.Source = Registered
	}
	t.RegisteredAt = c.now().UTC()
	t.UpdatedAt = t.RegisteredAt
	return c.put(ctx, t, 0)
}

// Update replaces a tool that the caller read at a version. A *ConflictError means that the version has changed, a
// *NotFoundError that the tool was removed.
func (c *Catalog) Update(ctx context.Context, t Tool, seen int) (Tool, error) {
	if seen < 1 {
		return Tool{}, &InvalidError{Key: t.Key(), Problem: fmt.Sprintf("version is %d, expected 1 or more", seen)}
	}
	old, err := c.current(ctx, t.Key())
	if err != nil {
		return Tool{}, err
	}
	if t.Source == "" {
		t.Source = old.Source
	}
	t.RegisteredAt, t.UpdatedAt = old.RegisteredAt, c.now().UTC()
	if t.UpdatedAt.Before(old.UpdatedAt) {
		t.UpdatedAt = old.UpdatedAt // the clock was set back
	}
	return c.put(ctx, t, seen)
}

// Remove removes a tool. A *NotFoundError means that it does not exist.
func (c *Catalog) Remove(ctx context.Context, key Key) error {
	records, err := c.store.Commit(ctx, store.Change{Key: key, Seen: store.Any})
	if err != nil {
		return c.failed(ctx, err)
	}
	return c.apply(records, false)
}

// put writes a tool and makes it visible.
func (c *Catalog) put(ctx context.Context, t Tool, seen int) (Tool, error) {
	if err := t.check(); err != nil {
		return Tool{}, err
	}
	body, err := t.body()
	if err != nil {
		return Tool{}, err
	}
	records, err := c.store.Commit(ctx, store.Change{Key: t.Key(), Seen: seen, Body: body})
	if err != nil {
		return Tool{}, c.failed(ctx, err)
	}
	if err := c.apply(records, false); err != nil {
		return Tool{}, err
	}
	t.Version = records[0].Version
	return t.clone(), nil
}

// body is the stored part of a tool: everything except the version, which the store assigns, and the marks, which are
// local.
func (t *Tool) body() ([]byte, error) {
	for _, raw := range [...]json.RawMessage{t.Parameters, t.Returns, t.Annotations, t.Metadata, t.Raw} {
		if len(raw) > 0 && !json.Valid(raw) {
			return nil, &InvalidError{Key: t.Key(), Problem: "a JSON field is not valid JSON"}
		}
	}
	k := *t
	k.Version, k.Stale, k.Quarantined = 0, false, ""
	if rest, ok := k.derived(); ok {
		k = rest
	}
	return k.encode(), nil
}

// current returns a tool from memory, or from the store if it is not yet in memory.
func (c *Catalog) current(ctx context.Context, key Key) (Tool, error) {
	if t, err := c.Get(key); err == nil {
		return t, nil
	}
	if err := c.Refresh(ctx); err != nil {
		return Tool{}, err
	}
	return c.Get(key)
}

// failed converts a store error to a catalog error, after catching up with the store.
func (c *Catalog) failed(ctx context.Context, err error) error {
	var conflict *store.ConflictError
	var missing *store.NotFoundError
	switch {
	case errors.As(err, &conflict) && (conflict.Actual > 0 || conflict.Seen == 0):
		err = &ConflictError{Key: conflict.Key, Seen: conflict.Seen, Actual: conflict.Actual}
	case errors.As(err, &conflict):
		err = &NotFoundError{Key: conflict.Key}
	case errors.As(err, &missing):
		err = &NotFoundError{Key: missing.Key}
	default:
		return &StoreError{err}
	}
	if behind := c.Refresh(ctx); behind != nil {
		return errors.Join(err, behind)
	}
	return err
}
