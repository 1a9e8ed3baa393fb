package mcpserver

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// answerLimit is how many bytes of a server's data stand in one answer. An answer goes out twice, as structured content
// and as text, and clients read messages of 16 MiB at most.
const answerLimit = 3 << 20

// A view says how much of a list is shown. The zero value shows all of it.
type view struct {
	brief         bool
	offset, limit int
	contains      string
	frames        bool
}

// A page says which part of a list an answer holds.
type page struct {
	Offset     int    `json:"offset"`
	Returned   int    `json:"returned"`
	Matching   int    `json:"matching"`
	NextOffset *int   `json:"next_offset,omitempty"`
	Cut        string `json:"cut,omitempty"`
}

// apply picks the items that are shown. The page is nil when that is the whole list.
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
			p.Cut = fmt.Sprintf("an answer holds at most %d bytes of a list; the same call with offset returns the rest from next_offset on", answerLimit)
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
