package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// soundEntries validates each entry of a list against the schema of the revision.
func (p *CheckContext) soundEntries(ctx context.Context, method string) error {
	list, err := p.Offered(ctx, method)
	if err != nil {
		return err
	}
	for number, page := range list.Pages {
		for _, v := range p.Revision.ValidateResponse(spec.Client, method, page.Reply.Frame.Body) {
			index, field := entryOf(v.Pointer, list.Key)
			if index < 0 {
				continue
			}
			seen := Evidence{Subject: method, Exchange: page, Pointer: v.Pointer}
			p.Report(seen, "%s, %s: %s", entryName(list, number, index), field, v.Message)
		}
	}
	return nil
}

// entryOf returns the index of the list entry that a pointer into the response refers to, and the field of the entry;
// -1 if it refers to something else.
func entryOf(pointer, key string) (index int, field string) {
	rest, ok := strings.CutPrefix(pointer, "/result/"+key+"/")
	if !ok {
		return -1, ""
	}
	number, field, _ := strings.Cut(rest, "/")
	if _, err := fmt.Sscan(number, &index); err != nil {
		return -1, ""
	}
	if field == "" {
		field = "the entry"
	}
	return index, field
}

// entryName returns the name of an entry, or its position in the list.
func entryName(list *mcp.List, page, index int) string {
	at := index
	for _, before := range list.Pages[:page] {
		at += len(entries(before, list.Key))
	}
	if at < len(list.Items) && list.Items[at].Name != "" {
		return quoted(list.Items[at].Name)
	}
	return fmt.Sprintf("entry %d", at+1)
}
