package meta

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxListed is how many bytes of tools one answer has: about as much as a page of tools/list.
const maxListed = 4 << 20

// A listing is the answer of catalog_list: all tools, or as many as fit and a cursor for the others.
type listing struct {
	Tools []json.RawMessage `json:"tools"`
	Count int               `json:"count"` // of those in this answer
	Total int               `json:"total"` // of all that the filter lets through
	Next  string            `json:"next_cursor,omitempty"`
}

// list answers with everything that the filter lets through. Only where that would be more than a client can take, or than
// it wants, it comes in pages.
func list(_ context.Context, h *Host, in *input) (any, error) {
	after, err := in.after(h)
	if err != nil {
		return nil, err
	}
	found := h.Catalog.List(catalog.Filter{Name: in.Filter, Server: in.Server, Tags: in.Tags, Annotations: in.Annotation, Allow: h.allow})
	out := listing{Tools: []json.RawMessage{}, Total: len(found)}
	for i, size := 0, 0; i < len(found); i++ {
		if in.Cursor != "" && compareKeys(found[i].Key(), after) <= 0 {
			continue
		}
		if out.Count > 0 && (out.Count == in.Limit || size >= maxListed) {
			last := found[i-1].Key()
			out.Next = Cursor(last.Server+"\x00"+last.Name, in.question(h)...)
			break
		}
		item, err := h.listed(&found[i], in.Brief)
		if err != nil {
			return nil, err
		}
		out.Tools = append(out.Tools, item)
		out.Count++
		size += len(item)
	}
	return out, nil
}

func (h *Host) listed(t *catalog.Tool, brief bool) (json.RawMessage, error) {
	if brief {
		return encode(h.card(t))
	}
	return h.entry(t), nil
}

// question is what a cursor is good for: the same filter, asked by the same caller.
func (in *input) question(h *Host) []string {
	return []string{"catalog_list", h.Caller.Name, in.Filter, in.Server, strings.Join(in.Tags, "\x01"), strings.Join(in.Annotation, "\x01")}
}

// after is the tool that the page before ended with.
func (in *input) after(h *Host) (key catalog.Key, err error) {
	if in.Cursor == "" {
		return key, nil
	}
	place, ok := ReadCursor(in.Cursor, in.question(h)...)
	if !ok {
		return key, &invoke.ValidationError{Tool: "catalog_list", Errors: []schema.Violation{{Path: "/cursor", Rule: "cursor",
			Expected: "next_cursor of an answer to the same filter, as it came", Received: "something else",
			Message: "the cursor is not one of this list; leave it out to begin at the first tool"}}}
	}
	key.Server, key.Name, _ = strings.Cut(place, "\x00")
	return key, nil
}

// compareKeys orders tools as the catalog lists them.
func compareKeys(a, b catalog.Key) int {
	return cmp.Or(strings.Compare(a.Server, b.Server), strings.Compare(a.Name, b.Name))
}
