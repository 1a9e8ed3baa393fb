package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A paging is one way in which a tool may return a list in pages.
type paging struct {
	kind  byte   // 'p' for page numbers, 'o' for offsets, 'c' for cursors
	name  string // the argument that selects the page
	size  string // the argument for the number of items on a page
	base  int    // the number of the first page or item
	items int    // the size of a small page
}

// Names of arguments and members of results.
var (
	pageNames   = lazyregexp.New(`^page_?(?:number|no|num|index)?$`)
	skipNames   = lazyregexp.New(`^(?:offset|skip)$`)
	cursorNames = lazyregexp.New(`^(?:(?:next|page|start)?_?(?:cursor|token)|(?:next_?)?page_?token|continuation(?:_?token)?|after)$`)
	sizeNames   = lazyregexp.New(`^(?:limit|max_?(?:results|items|count)|page_?(?:size|limit)|(?:items_|results_)?per_?page|size|count|take)$`)
	pageSizes   = lazyregexp.New(`page`)
	nextNames   = lazyregexp.New(`^(?:next_?(?:cursor|token|page_?token)|cursor|end_?cursor|(?:page|continuation)_?token)$`)
)

// pageSizesTried are sizes of small pages; twice as many items have to be allowed, too.
var pageSizesTried = []int{2, 1, 3, 5, 10, 25}

// pagingOf returns the ways in which a tool may return a list in pages, the most likely first: a page may be the
// first one with the number 1 or 0.
func pagingOf(t Tool) []paging {
	size, items := "", 0
	for _, n := range pageSizesTried {
		if size = numberArgument(t, sizeNames().MatchString, n, 2*n); size != "" {
			items = n
			break
		}
	}
	if size == "" {
		return nil
	}
	if name := numberArgument(t, pageNames().MatchString, 1, 2); name != "" {
		ways := []paging{{'p', name, size, 1, items}}
		property := declaredArgument(t.Definition, name)
		if numberArgument(t, func(n string) bool { return n == strings.ToLower(name) }, 0) != "" &&
			string(At(property, "/default")) != "1" {
			ways = append(ways, paging{'p', name, size, 0, items})
		}
		return ways
	}
	if name := numberArgument(t, skipNames().MatchString, 0, items); name != "" {
		return []paging{{'o', name, size, 0, items}, {'o', name, size, 1, items}}
	}
	required := stringsIn(At(t.Definition, "/inputSchema/required"))
	for _, m := range declaredArguments(t.Definition) {
		if cursorNames().MatchString(strings.ToLower(m.Name)) && !slices.Contains(required, m.Name) &&
			takes(m.Value, `"a"`) && !takes(m.Value, "1") {
			return []paging{{'c', m.Name, size, 0, items}}
		}
	}
	return nil
}

// numberArgument returns the first argument of a tool that is a number, whose name matches in lower case and that may
// have the values; empty if there is none.
func numberArgument(t Tool, match func(string) bool, values ...int) string {
	for _, m := range declaredArguments(t.Definition) {
		if !match(strings.ToLower(m.Name)) || takes(m.Value, `"a"`) {
			continue
		}
		if !slices.ContainsFunc(values, func(v int) bool { return !takes(m.Value, strconv.Itoa(v)) }) {
			return m.Name
		}
	}
	return ""
}

// takes reports whether a schema accepts a value.
func takes(property json.RawMessage, value string) bool {
	compiled, err := schema.Compile(property, nil)
	return err == nil && len(compiled.Validate(json.RawMessage(value))) == 0
}

func (w paging) at(name string) string { return "/" + schema.Token(name) }

// start returns the arguments for the first page, with the sample size.
func (w paging) start(t Tool) json.RawMessage {
	if w.kind != 'c' {
		return withArgument(t, t.Arguments, w.name, strconv.Itoa(w.base))
	}
	without, err := schema.Apply(t.Arguments, []finding.Edit{{Pointer: w.at(w.name)}})
	if err != nil {
		return t.Arguments
	}
	return without
}

// next returns the arguments for the page after the first one, with its size.
func (w paging) next(t Tool, cursor string) json.RawMessage {
	value := strconv.Itoa(w.base + 1)
	switch w.kind {
	case 'o':
		value = strconv.Itoa(w.base + w.items)
	case 'c':
		value = cursor
	}
	return withArgument(t, withArgument(t, w.start(t), w.size, strconv.Itoa(w.items)), w.name, value)
}

// pages are the items of the first two small pages and of one page of twice the size.
type pages struct {
	first, second, double []json.RawMessage
	exchange              *mcp.Exchange // the call for the second page
}

// same reports whether pages that were read again have the same items.
func (g *pages) same(other *pages) bool {
	return equalItems(g.first, other.first) && equalItems(g.second, other.second) &&
		equalItems(g.double, other.double)
}

// maxCursors is how many cursors are followed: a page may have fewer items than requested.
const maxCursors = 5

// readPages reads pages of a list. They are nil if they cannot be compared: a call failed, the list is too short, a size
// is not respected, the first page is not stable, or an item is in the list twice.
func (p *CheckContext) readPages(ctx context.Context, t Tool, w paging) (*pages, error) {
	small := withArgument(t, w.start(t), w.size, strconv.Itoa(w.items))
	large := withArgument(t, w.start(t), w.size, strconv.Itoa(2*w.items))
	if string(At(small, w.at(w.size))) != strconv.Itoa(w.items) || string(At(large, w.at(w.size))) != strconv.Itoa(2*w.items) {
		return nil, nil // the schema allows only other combinations
	}
	g := &pages{}
	var ex, after *mcp.Exchange
	var err error
	if g.first, ex, err = p.page(ctx, t, small); err != nil || len(g.first) != w.items {
		return nil, err
	}
	if g.double, _, err = p.page(ctx, t, large); err != nil || len(g.double) <= w.items || len(g.double) > 2*w.items ||
		hasTwins(g.double) {
		return nil, err
	}
	cursor, last := nextCursor(ex.Reply.Result)
	if w.kind == 'c' && last {
		g.exchange = ex
		return g, nil
	}
	for range maxCursors {
		arguments := w.next(t, cursor)
		if w.kind == 'c' && cursor == "" || equalJSON(arguments, small) {
			break
		}
		var items []json.RawMessage
		if items, after, err = p.page(ctx, t, arguments); err != nil || items == nil {
			return nil, err
		}
		g.second = append(g.second, items...)
		cursor, _ = nextCursor(after.Reply.Result)
		if w.kind != 'c' || len(g.second) >= w.items {
			break
		}
	}
	if g.exchange = after; after == nil {
		return nil, nil
	}
	again, _, err := p.page(ctx, t, small)
	if err != nil || !equalItems(again, g.first) {
		return nil, err
	}
	return g, nil
}

// page calls a tool for one page and returns its items, which are not nil if the result has exactly one list.
func (p *CheckContext) page(ctx context.Context, t Tool, arguments json.RawMessage) ([]json.RawMessage, *mcp.Exchange, error) {
	ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
	if err != nil {
		return nil, nil, err
	}
	if c := (CallResult{t, ex}); c.Result() == nil || c.Failed() {
		return nil, ex, nil
	}
	list := onlyList(inner(valueOf(ex.Reply.Result)))
	items, err := schema.Elements(list)
	if list == nil || err != nil {
		return nil, ex, nil
	}
	return append([]json.RawMessage{}, items...), ex, nil
}

// inner returns the only object in an object without other values: frameworks wrap results so.
func inner(value json.RawMessage) json.RawMessage {
	if members, _ := schema.Members(value); len(members) == 1 && schema.Kind(members[0].Value) == '{' {
		return members[0].Value
	}
	return value
}

// nextCursor returns the cursor of the next page in a result, as JSON, and whether the result says that there is none.
// The cursor is empty if there is none or several.
func nextCursor(result json.RawMessage) (cursor string, last bool) {
	members, _ := schema.Members(inner(valueOf(result)))
	for _, m := range members {
		all := []schema.Member{m}
		if schema.Kind(m.Value) == '{' {
			all, _ = schema.Members(m.Value)
		}
		for _, m := range all {
			switch value := string(m.Value); {
			case !nextNames().MatchString(strings.ToLower(m.Name)):
			case value == "null" || value == `""`:
				last = true
			case schema.Kind(m.Value) == '"' && cursor != "" && cursor != value:
				return "", false
			case schema.Kind(m.Value) == '"':
				cursor = value
			}
		}
	}
	return cursor, last && cursor == ""
}

// hasTwins reports whether a list contains equal items.
func hasTwins(items []json.RawMessage) bool {
	for i, item := range items {
		if hasItem(items[:i], item) {
			return true
		}
	}
	return false
}

// A pageFault is what is wrong with pages.
type pageFault struct {
	message  string
	exchange *mcp.Exchange
	afar     bool // the second page has no item of the others
}

// fault returns what is wrong with pages; nil if nothing is.
func (g *pages) fault(w paging) *pageFault {
	if equalItems(g.first, g.second) && w.kind == 'o' {
		return nil // TOOL-043 reports it
	}
	which := fmt.Sprintf("%s %d with %s %d", w.name, w.base+1, w.size, w.items)
	switch w.kind {
	case 'o':
		which = fmt.Sprintf("%s %d with %s %d", w.name, w.base+w.items, w.size, w.items)
	case 'c':
		which = fmt.Sprintf("%s of the first page with %s %d", w.name, w.size, w.items)
	}
	for _, item := range g.second {
		if hasItem(g.first, item) {
			return &pageFault{fmt.Sprintf("%s: expected the items after the first page, got an item of the first page again: %s",
				which, show(item)), g.exchange, false}
		}
	}
	shared := slices.ContainsFunc(g.second, func(item json.RawMessage) bool { return hasItem(g.double, item) })
	for _, item := range g.double {
		if hasItem(g.first, item) || hasItem(g.second, item) {
			continue
		}
		if len(g.second) == 0 && w.kind == 'p' && !pageSizes().MatchString(strings.ToLower(w.size)) {
			return nil // limit may be the number of items on all pages
		}
		return &pageFault{fmt.Sprintf("%s: expected the items after the first page, got a page without %s, which is on one page "+
			"with %s %d", which, show(item), w.size, 2*w.items), g.exchange, !shared && len(g.second) > 0}
	}
	return nil
}

// equalItems reports whether two lists have equal items in the same order.
func equalItems(a, b []json.RawMessage) bool {
	return slices.EqualFunc(a, b, func(x, y json.RawMessage) bool { return equalJSON(x, y) })
}
