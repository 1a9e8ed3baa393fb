package metatools

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// allow reports whether the caller may use a tool, and the meta-tools, which are for a model, may find it.
func (h *Host) allow(t *catalog.Tool) bool { return h.Caller.May(t.Server, t.Name) && t.ForModel() }

// allowKey identifies what allow reports.
func (h *Host) allowKey() string { return "for models " + h.Caller.Rights() }

// Listings returns what servers list for the caller, by server.
func (h *Host) Listings() map[string]*catalog.Listing {
	if h.Own == nil {
		return nil
	}
	return h.Own()
}

// A toolSummary is a tool in a list: what a model needs to choose it and to call it.
type toolSummary struct {
	InvokeAs    string  `json:"invoke_as"`
	Name        string  `json:"name"`
	Arguments   string  `json:"arguments"` // (a: number, b?: string)
	Description string  `json:"description"`
	Stale       bool    `json:"stale,omitempty"`
	Quarantined string  `json:"quarantined,omitempty"`
	Score       float64 `json:"score,omitempty"`
	Queries     []int   `json:"queries,omitempty"` // which of several queries it matches
}

// defaultResults is the number of search results. The right tool is nearly always among them, and each costs a model
// as much as a sentence.
const defaultResults = 5

// The maximum length of what a card shows of a tool.
const (
	maxSummary   = 100
	maxArguments = 200
)

func (h *Host) card(t *catalog.Tool) toolSummary {
	summary, _, _ := strings.Cut(t.Description, "\n")
	return toolSummary{InvokeAs: h.Name(t), Name: t.Name, Description: clip.Runes(summary, maxSummary),
		Arguments: clip.Runes(arguments.Signature(t.Parameters), maxArguments), Stale: t.Stale,
		Quarantined: t.Quarantined}
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

func search(ctx context.Context, h *Host, in *input) (any, error) {
	queries := in.Queries
	if in.Query != "" {
		queries = append([]string{in.Query}, queries...)
	}
	if len(queries) == 0 {
		return nil, &invoke.ValidationError{Tool: "catalog_search",
			Errors: []schema.Violation{{Path: "/query", Rule: "required", Expected: "query or queries",
				Received: "nothing", Message: "missing required: query"}}}
	}
	hits := h.Catalog.SearchContext(ctx, queries, catalog.Filter{Server: in.Server, Tags: in.Tags, Allow: h.allow,
		AllowKey: h.allowKey(), Own: h.Listings(), Limit: cmp.Or(in.Limit, defaultResults)})
	out := make([]toolSummary, 0, len(hits))
	for _, hit := range hits {
		c := h.card(&hit.Tool)
		c.Score = max(math.Round(hit.Score*1000)/1000, 0.001)
		if len(queries) > 1 {
			c.Queries = hit.Queries
		}
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
