package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool054 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-054",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `pages of a list should follow each other

A read-only tool returns a list in pages: it has a page number, an offset or a cursor, and a page size. Its first pages were
compared with one page of twice the size. An item is on two pages, or on none, and both happened again when the calls were
repeated. A model that reads page by page counts items twice or misses some. Typical cause: the start of a page is
calculated with an offset by one. Only lists that stay the same and have more items than the first page are compared.

Pages are also followed: each is requested with the cursor, such as next_cursor, of the one before. A page that leads to itself
or to an earlier one makes a client read without end. Omit the cursor, or return null, on the last page. If all pages together
have fewer different items than their total, some are lost: a cursor with the date of the last item skips others of that date.`,
	},
	Needs: "tools",
	Alone: true, // calls of other checks could change the list
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			ways, starts := pagingOf(c.Tool), startArguments(c.Tool)
			works := c.Result() != nil && !c.Failed()
			if len(ways)+len(starts) == 0 || tried == maxReads || causedRequest(c) ||
				!works && len(ways) > 0 && ways[0].kind != 'c' || // a sample cursor is unknown
				!safety.Reads(c.Definition) {
				continue
			}
			tried++
			variants := []Tool{c.Tool}
			if hasOptionals(c.Tool) {
				variants = append(variants, withoutOptionals(c.Tool)) // a filter may leave only one page
			}
			for _, t := range variants {
				if err := p.comparePages(ctx, t, ways); err != nil {
					return err
				}
				if err := p.followPages(ctx, t); err != nil {
					return err
				}
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool has an argument for a page")
		}
		return nil
	},
}

// comparePages reports a tool if its pages overlap or leave a gap in each way in which it may count them, twice.
func (p *CheckContext) comparePages(ctx context.Context, t Tool, ways []paging) error {
	var wrong *pageFault
	var start []json.RawMessage
	for _, w := range ways {
		first, err := p.readPages(ctx, t, w)
		if err != nil {
			return err
		}
		if first == nil {
			continue // this way does not apply
		}
		found := first.fault(w)
		if found == nil {
			return nil
		}
		again, err := p.readPages(ctx, t, w)
		if err != nil || again == nil || !first.same(again) {
			return err
		}
		if found.afar {
			var seen bool
			if seen, err = p.hasLater(ctx, t, w, first); err != nil || !seen {
				return err
			}
		}
		if wrong == nil || w.kind == 'p' && !equalItems(start, first.first) {
			wrong, start = found, first.first
		}
	}
	if wrong != nil {
		p.once(Evidence{Subject: t.Name, Exchange: wrong.exchange, Led: true}, "%s", wrong.message)
	}
	return nil
}

// hasLater reports whether a larger page contains the first item of the second page: then items differ by what they are,
// and not by their position on the page.
func (p *CheckContext) hasLater(ctx context.Context, t Tool, w paging, seen *pages) (bool, error) {
	for _, size := range []string{"100", "50", "20", "10"} {
		arguments := withArgument(t, w.start(t), w.size, size)
		if string(At(arguments, w.at(w.size))) != size {
			continue
		}
		all, _, err := p.page(ctx, t, arguments)
		return hasItem(all, seen.second[0]), err
	}
	return false, nil
}

func hasItem(items []json.RawMessage, item json.RawMessage) bool {
	for _, other := range items {
		if equalJSON(item, other) {
			return true
		}
	}
	return false
}
