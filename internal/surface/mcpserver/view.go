package mcpserver

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// maxResponseBytes is the maximum number of bytes of a server's data in one result. A result is sent twice, as
// structured content and as text, and clients accept messages of at most 16 MiB.
const maxResponseBytes = 3 << 20

// A view selects how much of a list is shown.
type view struct {
	verbosity     verbosity
	offset, limit int
	contains      string
}

// A page describes which part of a list a result contains.
type page struct {
	Offset     int    `json:"offset"`
	Returned   int    `json:"returned"`
	Matching   int    `json:"matching"`
	NextOffset *int   `json:"next_offset,omitempty"`
	Cut        string `json:"cut,omitempty"`
}

// apply selects the visible items. The page is nil if that is the whole list.
func (v view) apply(items []mcp.Item, k kind) ([]any, *page) {
	var matching []mcp.Item
	for _, item := range items {
		if strings.Contains(item.Name, v.contains) {
			matching = append(matching, item)
		}
	}
	p := &page{Offset: v.offset, Matching: len(matching)}
	rest := matching[min(v.offset, len(matching)):]
	if v.limit > 0 && len(rest) > v.limit {
		rest = rest[:v.limit]
	}
	shown, size, limit := []any{}, 0, v.verbosity.limit()
	for _, item := range rest {
		one := k.item(item, v.verbosity)
		if size += len(serve.Encode(one)); size > limit && len(shown) > 0 {
			p.Cut = fmt.Sprintf("a response has at most %d bytes of a list; use offset %d for the rest", limit,
				v.offset+len(shown))
			break
		}
		shown = append(shown, one)
	}
	p.Returned = len(shown)
	if next := p.Offset + p.Returned; next < len(matching) {
		p.NextOffset = &next
	}
	if p.Returned == len(items) {
		return shown, nil
	}
	return shown, p
}
