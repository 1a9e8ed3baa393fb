package metatools

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Sizes of the tools in one response, in bytes.
const (
	maxWhole  = 8_000   // a longer list is brief unless the caller asks for the schemas
	maxBrief  = 8_000   // a page, unless the caller asks for a number of tools
	maxListed = 4 << 20 // a page in any case: about as much as a page of tools/list
)

// A listing is the result of catalog_list: all tools, or a page and a cursor for the others.
type listing struct {
	Tools []json.RawMessage `json:"tools"`
	Count int               `json:"count"` // of those in this response
	Total int               `json:"total"` // of all that match the filter
	Next  string            `json:"next_cursor,omitempty"`
}

// list returns what matches the filter: all of it with schemas if that is short, otherwise a page of it without them.
func list(_ context.Context, h *Host, in *input) (any, error) {
	after, err := in.after(h)
	if err != nil {
		return nil, err
	}
	found := h.Catalog.List(catalog.Filter{Name: in.Filter, Server: in.Server, Tags: in.Tags,
		Annotations: in.Annotation, Allow: h.allow, Own: h.Listings()})
	brief, most := h.isBrief(in, found), maxListed
	if brief && in.Limit == 0 {
		most = maxBrief
	}
	out := listing{Tools: []json.RawMessage{}, Total: len(found)}
	for i, size := 0, 0; i < len(found); i++ {
		if in.Cursor != "" && compareKeys(found[i].Key(), after) <= 0 {
			continue
		}
		item, err := h.listed(&found[i], brief)
		if err != nil {
			return nil, err
		}
		size += len(item)
		if out.Count > 0 && (out.Count == in.Limit || size > most) {
			last := found[i-1].Key()
			out.Next = Cursor(last.Server+"\x00"+last.Name, in.question(h)...)
			break
		}
		out.Tools = append(out.Tools, item)
		out.Count++
	}
	return out, nil
}

// isBrief reports whether a list is without schemas: as the caller wants it, otherwise if it would be long with them.
func (h *Host) isBrief(in *input, found []catalog.Tool) bool {
	if in.Brief != nil {
		return *in.Brief
	}
	size := 0
	for i := range found {
		if size += len(h.entry(&found[i])); size > maxWhole {
			return true
		}
	}
	return false
}

func (h *Host) listed(t *catalog.Tool, brief bool) (json.RawMessage, error) {
	if brief {
		return encode(h.card(t))
	}
	return h.entry(t), nil
}

// question is what a cursor is valid for: the same filter and the same caller.
func (in *input) question(h *Host) []string {
	return []string{"catalog_list", h.Caller.Name, in.Filter, in.Server, strings.Join(in.Tags, "\x01"),
		strings.Join(in.Annotation, "\x01")}
}

// after is the last tool of the previous page.
func (in *input) after(h *Host) (key catalog.Key, err error) {
	if in.Cursor == "" {
		return key, nil
	}
	place, ok := ReadCursor(in.Cursor, in.question(h)...)
	if !ok {
		return key, &invoke.ValidationError{Tool: "catalog_list",
			Errors: []schema.Violation{{Path: "/cursor", Rule: "cursor",
				Expected: "next_cursor of a response to the same filter, unchanged", Received: "another value",
				Message: "invalid cursor for this list; omit it to start at the first tool"}}}
	}
	key.Server, key.Name, _ = strings.Cut(place, "\x00")
	return key, nil
}

// compareKeys compares tools in the order of the catalog.
func compareKeys(a, b catalog.Key) int {
	return cmp.Or(strings.Compare(a.Server, b.Server), strings.Compare(a.Name, b.Name))
}
