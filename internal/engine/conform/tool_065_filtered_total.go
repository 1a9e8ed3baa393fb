package conform

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool065 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-065",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `total should count the items that match the filter

A tool returns a list in pages, with a total. With a filter, all pages together have fewer items than the total, which is the same
as without the filter. A model reports a wrong number, or reads empty pages until it gives up. Count after the filter, or name the
number for what it is. Tools whose description says that the total is that of all items are not reported.`,
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
			if tried == maxReads || causedRequest(c) || !safety.Reads(c.Definition) {
				continue
			}
			t := withoutOptionals(c.Tool)
			walk := walkOf(t)
			filters := listFilters(t)
			if walk == nil || len(filters) == 0 {
				continue
			}
			tried++
			if err := p.compareFiltered(ctx, t, walk, filters); err != nil {
				return err
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool returns pages and has an argument with a list of values")
		}
		return nil
	},
}

// Limits of reading filtered lists to their end.
const (
	maxWalked      = 8  // pages
	maxListFilters = 2  // arguments
	maxListValues  = 3  // values of each
	minWalkedSize  = 10 // items on a page, as requested
)

// ofAll matches descriptions that say that a total counts all items.
var ofAll = lazyregexp.New(`(?i)\b(?:overall|unfiltered|regardless|before (?:any )?filter\w*|(?:in|of) the (?:whole |entire )?(?:store|database|catalog\w*|collection|library|inventory|archive))\b`)

// otherChoices matches names of arguments with a list of values that select no items.
var otherChoices = lazyregexp.New(`group|aggregat|granular|interval|period|view|layout|format|field|include|expand|collapse|distinct|direction|order|detail|verbos|lang|locale|unit|mode`)

// A walk is how to read a list page by page.
type walk struct{ paging }

// walkOf returns how a tool returns a list by page numbers or offsets, with large pages; nil if it does not.
func walkOf(t Tool) *walk {
	ways := pagingOf(t)
	if len(ways) == 0 || ways[0].kind == 'c' {
		return nil
	}
	w := &walk{ways[0]}
	for _, size := range []int{50, 20, minWalkedSize} {
		if numberArgument(t, func(name string) bool { return sizeNames().MatchString(name) }, size) == w.size {
			w.items = size
			return w
		}
	}
	return nil
}

// A listFilter is an optional argument with a list of values.
type listFilter struct {
	name   string
	values []json.RawMessage
}

func listFilters(t Tool) []listFilter {
	var all []listFilter
	for _, name := range optionalProperties(t.Definition) {
		if sortNames().MatchString(schema.Snake(name)) || otherChoices().MatchString(schema.Snake(name)) || len(all) == maxListFilters {
			continue
		}
		property := declaredArgument(t.Definition, name)
		values, _ := schema.Elements(At(property, "/enum"))
		if alternatives, err := schema.Elements(At(property, "/anyOf")); err == nil && len(alternatives) > 0 {
			values, _ = schema.Elements(At(alternatives[0], "/enum")) // or null, as the Python SDKs declare it
		}
		if len(values) > 1 {
			all = append(all, listFilter{name, values[:min(len(values), maxListValues)]})
		}
	}
	return all
}

// compareFiltered reports a tool whose total with a filter is that without it, although fewer items match.
func (p *CheckContext) compareFiltered(ctx context.Context, t Tool, w *walk, filters []listFilter) error {
	all, member, _, err := p.firstTotal(ctx, t, w, t.Arguments)
	if err != nil || member == "" || countsPage(t.Definition, member) || ofAll().MatchString(schema.TextAt(t.Definition, "/description")+
		schema.TextAt(t.Definition, "/outputSchema/properties/"+schema.Token(member)+"/description")) {
		return err
	}
	for _, f := range filters {
		for _, value := range f.values {
			arguments := withArgument(t, t.Arguments, f.name, string(value))
			if !hasArgument(arguments, f.name, string(value)) {
				continue
			}
			total, _, ex, err := p.firstTotal(ctx, t, w, arguments)
			if err != nil || total != all || total == 0 {
				if err != nil {
					return err
				}
				continue
			}
			count, ended, err := p.walk(ctx, t, w, arguments, total)
			if err != nil {
				return err
			}
			if !ended || count == 0 || count >= total {
				continue
			}
			if again, _, err := p.walk(ctx, t, w, arguments, total); err != nil || again != count {
				return err
			}
			p.once(Evidence{Subject: t.Name, Exchange: ex, Led: true}, "%s is %d with %s %s, as without it: expected %d, the number of items on all pages",
				member, total, f.name, show(value), count)
			return nil
		}
	}
	return nil
}

// firstTotal returns the total on the first page, and the member that has it; empty if there is none.
func (p *CheckContext) firstTotal(ctx context.Context, t Tool, w *walk, arguments json.RawMessage) (total int, member string, ex *mcp.Exchange, err error) {
	_, ex, err = p.page(ctx, t, w.to(t, arguments, 0, 0))
	if err != nil || ex == nil || (CallResult{t, ex}).Result() == nil {
		return 0, "", nil, err
	}
	member, total = totalOf(ex.Reply.Result)
	return total, member, ex, nil
}

// walk counts the items on all pages, until one is empty.
func (p *CheckContext) walk(ctx context.Context, t Tool, w *walk, arguments json.RawMessage, most int) (count int, ended bool, err error) {
	for page := range maxWalked {
		items, _, err := p.page(ctx, t, w.to(t, arguments, page, count))
		if err != nil || items == nil {
			return count, false, err
		}
		if count += len(items); len(items) == 0 || count >= most {
			return count, true, nil
		}
	}
	return count, false, nil
}

// to returns the arguments for a page, counted from 0, after so many items: a page may have fewer than requested.
func (w *walk) to(t Tool, arguments json.RawMessage, page, items int) json.RawMessage {
	at := w.base + page
	if w.kind == 'o' {
		at = w.base + items
	}
	return withArgument(t, withArgument(t, arguments, w.size, strconv.Itoa(w.items)), w.name, strconv.Itoa(at))
}
