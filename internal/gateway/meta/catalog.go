package meta

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/expression"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// allow lets through what the caller may use.
func (h *Host) allow(t *catalog.Tool) bool { return h.Caller.May(t.Server, t.Name) }

// A card is a tool in a list: its entry of the catalog, and the name to call it by.
type card struct {
	InvokeAs    string   `json:"invoke_as"`
	Name        string   `json:"name"`
	Server      string   `json:"server"`
	Version     int      `json:"version"`
	Description string   `json:"description"`
	Arguments   []string `json:"arguments,omitempty"`
	Stale       bool     `json:"stale,omitempty"`
	Score       *float64 `json:"score,omitempty"`
	Matched     []string `json:"matched,omitempty"`
	Queries     []int    `json:"queries,omitempty"`
}

// maxSummary is how much of a description stands on a card.
const maxSummary = 160

func (h *Host) card(t *catalog.Tool) card {
	summary, _, _ := strings.Cut(t.Description, "\n")
	if runes := []rune(summary); len(runes) > maxSummary {
		summary = string(runes[:maxSummary-1]) + "…"
	}
	return card{InvokeAs: h.Name(t), Name: t.Name, Server: t.Server, Version: t.Version, Description: summary, Arguments: parameterNames(t.Parameters), Stale: t.Stale}
}

func parameterNames(schema json.RawMessage) []string {
	var shape struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	_ = json.Unmarshal(schema, &shape)
	names := append([]string(nil), shape.Required...)
	for name := range shape.Properties {
		if !contains(shape.Required, name) {
			names = append(names, name+"?")
		}
	}
	return sorted(names)
}

// entry is a tool in full, with the name to call it by.
func (h *Host) entry(t *catalog.Tool) json.RawMessage {
	whole := *t
	whole.Raw = nil // its parts are there
	if !h.Caller.Manage {
		whole.Run, whole.Validators = catalog.Run{}, nil // how it is run is the gateway's business
	}
	body, err := whole.MarshalJSON()
	if err != nil {
		return json.RawMessage("null")
	}
	name, _ := json.Marshal(h.Name(t))
	return append(append(append([]byte(`{"invoke_as":`), name...), ','), body[1:]...)
}

func list(_ context.Context, h *Host, in *input) (any, error) {
	found := h.Catalog.List(catalog.Filter{Name: in.Filter, Server: in.Server, Tags: in.Tags, Annotations: in.Annotation, Allow: h.allow, Limit: in.Limit})
	out := make([]any, 0, len(found))
	for i := range found {
		if in.Brief {
			out = append(out, h.card(&found[i]))
		} else {
			out = append(out, h.entry(&found[i]))
		}
	}
	return map[string]any{"tools": out, "count": len(out)}, nil
}

func search(_ context.Context, h *Host, in *input) (any, error) {
	queries := in.Queries
	if in.Query != "" {
		queries = append([]string{in.Query}, queries...)
	}
	hits := h.Catalog.Search(queries, catalog.Filter{Server: in.Server, Tags: in.Tags, Allow: h.allow, Limit: in.Limit})
	out := make([]card, 0, len(hits))
	for _, hit := range hits {
		c := h.card(&hit.Tool)
		c.Score, c.Matched, c.Queries = &hit.Score, hit.Matched, hit.Queries
		out = append(out, c)
	}
	return map[string]any{"tools": out, "count": len(out)}, nil
}

func describe(_ context.Context, h *Host, in *input) (any, error) {
	t, err := h.Find(in.Name)
	if err != nil {
		return nil, err
	}
	return map[string]any{"tool": h.entry(t)}, nil
}

func call(ctx context.Context, h *Host, in *input) (any, error) {
	t, err := h.Find(in.Name)
	if err != nil {
		return nil, err
	}
	return h.Invoke(ctx, t, in.Arguments)
}

func validate(ctx context.Context, h *Host, in *input) (any, error) {
	t, err := h.Find(in.Name)
	if err != nil {
		return nil, err
	}
	return h.Invoker.Validate(ctx, t, in.Arguments), nil
}

func register(ctx context.Context, h *Host, in *input) (any, error) {
	if err := h.check(in.Tool); err != nil {
		return nil, err
	}
	in.Tool.Source, in.Tool.Raw, in.Tool.Version = catalog.Registered, nil, 0
	t, err := h.Catalog.Register(ctx, *in.Tool)
	if err != nil {
		return nil, err
	}
	return map[string]any{"tool": h.entry(&t)}, nil
}

func update(ctx context.Context, h *Host, in *input) (any, error) {
	if err := h.check(in.Tool); err != nil {
		return nil, err
	}
	if err := h.ours(in.Tool.Key()); err != nil {
		return nil, err
	}
	in.Tool.Source, in.Tool.Raw = catalog.Registered, nil
	t, err := h.Catalog.Update(ctx, *in.Tool, in.Version)
	if err != nil {
		return nil, err
	}
	return map[string]any{"tool": h.entry(&t)}, nil
}

func remove(ctx context.Context, h *Host, in *input) (any, error) {
	t, err := h.Find(in.Name)
	if err != nil {
		return nil, err
	}
	if err := h.ours(t.Key()); err != nil {
		return nil, err
	}
	if err := h.Catalog.Remove(ctx, t.Key()); err != nil {
		return nil, err
	}
	return map[string]any{"removed": t.Key().String()}, nil
}

// ours refuses to change what a server lists: its next list would undo it.
func (h *Host) ours(key catalog.Key) error {
	t, err := h.Catalog.Get(key)
	if err == nil && t.Source == catalog.FromUpstream {
		return &catalog.InvalidError{Key: key, Problem: "it is listed by its server, and can only be changed there"}
	}
	return nil // a tool that is not there is the catalog's to refuse
}

// check refuses a tool that could never be run, or that would give the caller what it may not use.
func (h *Host) check(t *catalog.Tool) error {
	invalid := func(format string, args ...any) error {
		return &catalog.InvalidError{Key: t.Key(), Problem: fmt.Sprintf(format, args...)}
	}
	if !h.Caller.May(t.Server, t.Name) {
		return invalid("its caller may not use the server %q", t.Server)
	}
	if run := t.Run.Upstream; run != nil && !h.Caller.May(run.Server, run.Tool) {
		return invalid("its caller may not use %s/%s", run.Server, run.Tool)
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
