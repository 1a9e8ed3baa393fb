package conform

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// capped matches descriptions of tools whose total is not what their pages have together.
var capped = lazyregexp.New(`(?i)\b(?:at most|up to|maximum|max|only the|cap(?:s|ped)?|approximate\w*|about|roughly|estimate\w*|accessible|visible)\b`)

// largerPages returns the arguments for pages of which few are needed for all items; the same arguments if few are needed or nothing is
// known about that.
func largerPages(t Tool, start json.RawMessage, first *followedPage) json.RawMessage {
	_, total := totalOf(first.ex.Reply.Result)
	items, _ := schema.Elements(first.items)
	if len(items) == 0 || total/len(items) < maxFollowed-1 {
		return start
	}
	size := total/(maxFollowed/2) + 1
	if name := numberArgument(t, sizeNames().MatchString, size); name != "" {
		return withArgument(t, start, name, strconv.Itoa(size))
	}
	return start
}

// reportLost reports pages that were followed to the end and have fewer different items than their total, if reading them again returns
// the same. A total that the description limits, or after full pages only, may count what the tool never returns.
func (p *CheckContext) reportLost(t Tool, seen []*followedPage, read func(string) (*followedPage, error)) error {
	member, total := totalOf(seen[0].ex.Reply.Result)
	if len(seen) < 2 || member == "" || countsPage(t.Definition, member) || capped().MatchString(withoutArguments(t)) {
		return nil
	}
	var different []json.RawMessage
	size := 0
	for i, page := range seen {
		if name, other := totalOf(page.ex.Reply.Result); name != member || other != total {
			return nil
		}
		items, _ := schema.Elements(page.items)
		if i == 0 {
			size = len(items)
		}
		for _, item := range items {
			if !hasItem(different, item) {
				different = append(different, item)
			}
		}
	}
	if len(different) >= total || len(different)%size == 0 {
		return nil
	}
	for _, page := range seen {
		again, err := read(page.at)
		if err != nil || again == nil || again.next != page.next || !equalJSON(again.items, page.items) {
			return err
		}
	}
	p.once(Evidence{Subject: t.Name, Exchange: seen[len(seen)-1].ex, Led: true},
		"%s is %d: expected as many items on all pages, got %d different ones on %d pages", member, total, len(different), len(seen))
	return nil
}

// withoutArguments is what a tool says about itself, and about its result.
func withoutArguments(t Tool) string {
	texts := []string{schema.TextAt(t.Definition, "/description")}
	properties, _ := schema.Members(At(t.Definition, "/outputSchema/properties"))
	for _, m := range properties {
		texts = append(texts, schema.TextAt(m.Value, "/description"))
	}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n")
}
