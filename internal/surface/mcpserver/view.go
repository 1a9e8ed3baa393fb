package mcpserver

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// answerLimit is the maximum number of bytes of a server's data in one result. A result is sent twice, as
// structured content and as text, and clients accept messages of at most 16 MiB.
const answerLimit = 3 << 20

// A view selects how much of a list is shown. The zero value shows all of it.
type view struct {
	brief         bool
	offset, limit int
	contains      string
	frames        bool
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
	shown, size := []any{}, 0
	for _, item := range rest {
		one := k.item(item, v.brief)
		if size += len(serve.Encode(one)); size > answerLimit && len(shown) > 0 {
			p.Cut = fmt.Sprintf("lists are limited to %d bytes per response; call again with offset set to next_offset for the rest", answerLimit)
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
