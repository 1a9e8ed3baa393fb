package metatools

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/expression"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// Register adds a tool for the caller, who may manage the catalog.
func (h *Host) Register(ctx context.Context, t catalog.Tool) (added catalog.Tool, err error) {
	defer func() { h.note("register", &t, added.Version, err) }()
	if err := h.check(&t); err != nil {
		return catalog.Tool{}, err
	}
	t.Source, t.Raw, t.Version = catalog.Registered, nil, 0
	return h.Catalog.Register(ctx, t)
}

// Update replaces a registered tool that the caller read at a version.
func (h *Host) Update(ctx context.Context, t catalog.Tool, seen int) (updated catalog.Tool, err error) {
	defer func() { h.note("update", &t, updated.Version, err) }()
	if err := h.check(&t); err != nil {
		return catalog.Tool{}, err
	}
	if err := h.checkEditable(t.Key()); err != nil {
		return catalog.Tool{}, err
	}
	t.Source, t.Raw = catalog.Registered, nil
	return h.Catalog.Update(ctx, t, seen)
}

// Remove removes a registered tool.
func (h *Host) Remove(ctx context.Context, key catalog.Key) (err error) {
	gone, missing := h.Catalog.Get(key)
	if missing != nil {
		gone = catalog.Tool{Server: key.Server, Name: key.Name}
	}
	defer func() { h.note("remove", &gone, gone.Version, err) }()
	if !h.Caller.May(key.Server, key.Name) {
		return &catalog.NotFoundError{Key: key}
	}
	if err := h.checkEditable(key); err != nil {
		return err
	}
	return h.Catalog.Remove(ctx, key)
}

// Import imports registered tools, all or none. Tools that servers list are skipped: they come from their servers.
func (h *Host) Import(ctx context.Context, tools []catalog.Tool, replace bool) (catalog.Imported, error) {
	var ours []catalog.Tool
	var skipped []catalog.Key
	for _, t := range tools {
		if t.Source == catalog.FromUpstream || h.checkEditable(t.Key()) != nil {
			skipped = append(skipped, t.Key())
			continue
		}
		if err := h.check(&t); err != nil {
			return catalog.Imported{}, err
		}
		t.Source, t.Raw = catalog.Registered, nil
		ours = append(ours, t)
	}
	did, err := h.Catalog.Import(ctx, ours, replace)
	if err == nil {
		h.noteImport(ours, did)
	}
	did.Skipped = skipped
	return did, err
}

// note records what the caller did to a tool.
func (h *Host) note(action string, t *catalog.Tool, version int, err error) {
	noted := *t
	noted.Version = version
	h.Invoker.NoteChange(h.Caller.Name, action, &noted, err)
}

// noteImport records the changes of an import, tool by tool.
func (h *Host) noteImport(tools []catalog.Tool, did catalog.Imported) {
	for i := range tools {
		if key := tools[i].Key(); !slices.Contains(did.Unchanged, key) {
			now, err := h.Catalog.Get(key)
			if err != nil {
				now = tools[i] // it was removed meanwhile
			}
			h.note("import", &tools[i], now.Version, nil)
		}
	}
}

// checkEditable rejects a change of a tool that a server lists: its next list would undo it.
func (h *Host) checkEditable(key catalog.Key) error {
	t, err := h.Catalog.Get(key)
	if err == nil && t.Source == catalog.FromUpstream {
		return &catalog.InvalidError{Key: key, Problem: "it is listed by its server and can only be changed there"}
	}
	return nil // the catalog rejects an unknown tool
}

// check rejects a tool that could never be run, or that would give the caller access to what it may not use.
func (h *Host) check(t *catalog.Tool) error {
	invalid := func(format string, args ...any) error {
		return &catalog.InvalidError{Key: t.Key(), Problem: fmt.Sprintf(format, args...)}
	}
	if !h.Caller.May(t.Server, t.Name) {
		return invalid("the caller may not use the server %q", t.Server)
	}
	if run := t.Run.Upstream; run != nil && !h.Caller.May(run.Server, run.Tool) {
		return invalid("the caller may not use %s/%s", run.Server, run.Tool)
	}
	if err := h.Invoker.Runnable(t); err != nil {
		return invalid("%v", err)
	}
	for _, v := range t.Validators {
		if v.Expression == "" {
			continue
		}
		if _, err := expression.Compile(v.Expression); err != nil {
			return invalid("validator %s: %v", v.Name, err)
		}
	}
	return nil
}
