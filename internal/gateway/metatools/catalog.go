package metatools

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// allow reports whether the caller may use a tool.
func (h *Host) allow(t *catalog.Tool) bool { return h.Caller.May(t.Server, t.Name) }

// A toolSummary is a tool in a list: its entry in the catalog, and the name to call it by.
type toolSummary struct {
	InvokeAs    string   `json:"invoke_as"`
	Name        string   `json:"name"`
	Server      string   `json:"server"`
	Version     int      `json:"version"`
	Description string   `json:"description"`
	Arguments   []string `json:"arguments,omitempty"`
	Stale       bool     `json:"stale,omitempty"`
	Quarantined string   `json:"quarantined,omitempty"`
	Score       *float64 `json:"score,omitempty"`
	Matched     []string `json:"matched,omitempty"`
	Queries     []int    `json:"queries,omitempty"`
}

// maxSummary is the maximum length of a description on a card.
const maxSummary = 160

func (h *Host) card(t *catalog.Tool) toolSummary {
	summary, _, _ := strings.Cut(t.Description, "\n")
	return toolSummary{InvokeAs: h.Name(t), Name: t.Name, Server: t.Server, Version: t.Version,
		Description: clip.Runes(summary, maxSummary), Arguments: parameterNames(t.Parameters), Stale: t.Stale,
		Quarantined: t.Quarantined}
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
	whole.Raw = nil // all parts are valid
	if !h.Caller.Manage {
		whole.Run, whole.Validators = catalog.Run{}, nil // how it is run is internal to the gateway
	}
	body, err := whole.MarshalJSON()
	if err != nil {
		return json.RawMessage("null")
	}
	name, _ := json.Marshal(h.Name(t))
	return append(append(append([]byte(`{"invoke_as":`), name...), ','), body[1:]...)
}

func search(_ context.Context, h *Host, in *input) (any, error) {
	queries := in.Queries
	if in.Query != "" {
		queries = append([]string{in.Query}, queries...)
	}
	hits := h.Catalog.Search(queries, catalog.Filter{Server: in.Server, Tags: in.Tags, Allow: h.allow, Limit: in.Limit})
	out := make([]toolSummary, 0, len(hits))
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
	t, err := h.Register(ctx, *in.Tool)
	if err != nil {
		return nil, err
	}
	return map[string]any{"tool": h.entry(&t)}, nil
}

func update(ctx context.Context, h *Host, in *input) (any, error) {
	t, err := h.Update(ctx, *in.Tool, in.Version)
	if err != nil {
		return nil, err
	}
	return map[string]any{"tool": h.entry(&t)}, nil
}

func remove(ctx context.Context, h *Host, in *input) (any, error) {
	t, err := h.Find(in.Name)
	if err != nil { // another replica may have just registered it
		if behind := h.Catalog.Refresh(ctx); behind != nil {
			return nil, behind
		}
		t, err = h.Find(in.Name)
	}
	if err != nil {
		return nil, err
	}
	if err := h.Remove(ctx, t.Key()); err != nil {
		return nil, err
	}
	return map[string]any{"removed": t.Key().String()}, nil
}
