package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// Limits of a list.
const (
	maxPages = 1000
	maxItems = 100_000
	maxBytes = 256 << 20
)

// An Item is one entry of a list, unchanged; unknown fields are kept.
type Item struct {
	Name  string          // its name, or its uri; "" if it has no such string
	Raw   json.RawMessage // the entry
	Frame int             // the frame that contains it
	Odd   string          // why it is not valid
}

// A List is all the pages of one list.
type List struct {
	Key      string      // "tools", "resources", …
	Items    []Item      // in the server's order
	Pages    []*Exchange // each page, unchanged
	Ends     []int       // the number of items up to the end of each page
	Problems []string    // what prevented reading the complete list
	Refused  *RPCError   // the server returned this error

	bytes int // of all pages
}

// The lists that servers have.
var lists = map[string]struct{ key, name string }{
	"tools/list":               {"tools", "name"},
	"resources/list":           {"resources", "uri"},
	"resources/templates/list": {"resourceTemplates", "uriTemplate"},
	"prompts/list":             {"prompts", "name"},
	"skills/list":              {"skills", "uri"},
}

// List reads all pages of a list. An invalid item does not affect the others; a repeated cursor or a limit
// stops it.
func (s *Session) List(ctx context.Context, method string) (*List, error) {
	kind, ok := lists[method]
	if !ok {
		return nil, fmt.Errorf("%s is not a list", method)
	}
	l := &List{Key: kind.key}
	seen := map[string]bool{}
	var params json.RawMessage
	for {
		ex, err := s.Call(ctx, method, params)
		if err != nil {
			return l, err
		}
		l.Pages = append(l.Pages, ex)
		l.bytes += len(ex.Reply.Frame.Body)
		if ex.Reply.Error != nil {
			l.Refused = ex.Reply.Error
			return l, nil
		}
		known := len(l.Items)
		l.add(ex, kind.key, kind.name)
		if method == "tools/list" {
			s.refuseHeaders(l.Items[known:])
		}
		l.Ends = append(l.Ends, len(l.Items))
		cursor, more := member(ex.Reply.Result, "nextCursor")
		if !more || string(cursor) == "null" || l.stop(string(cursor), seen) {
			return l, nil
		}
		params = Object("cursor", cursor)
	}
}

// stop reports whether following the cursor would loop or exceed a limit.
func (l *List) stop(cursor string, seen map[string]bool) bool {
	switch {
	case cursor[0] != '"':
		l.problem("nextCursor is %.40s, expected a string", cursor)
	case seen[cursor]:
		l.problem("cursor %.40s was returned twice; stopped there", cursor)
	case len(l.Pages) >= maxPages:
		l.problem("more than %d pages; stopped there", maxPages)
	case l.bytes >= maxBytes:
		l.problem("more than %d MiB; stopped there", maxBytes>>20)
	case len(l.Items) >= maxItems:
		l.problem("more than %d items; stopped there", maxItems)
	default:
		seen[cursor] = true
		return false
	}
	return true
}

func (l *List) problem(format string, args ...any) {
	l.Problems = append(l.Problems, fmt.Sprintf(format, args...))
}

// add adds the items of a page.
func (l *List) add(ex *Exchange, key, name string) {
	array, ok := member(ex.Reply.Result, key)
	if !ok {
		l.problem("the result has no %q", key)
		return
	}
	items, err := elementsOf(array)
	if err != nil {
		l.problem("%q: %v", key, err)
	}
	for _, raw := range items {
		item := Item{Raw: raw, Frame: ex.Reply.Frame.Seq}
		value, has := member(raw, name)
		switch {
		case raw[0] != '{':
			item.Odd = rawjson.KindName(raw) + ", expected an object"
		case !has:
			item.Odd = "no " + name
		case json.Unmarshal(value, &item.Name) != nil || string(value) == "null":
			item.Odd = fmt.Sprintf("%s is %.40s, expected a string", name, value)
		}
		l.Items = append(l.Items, item)
	}
}

// Find returns the item with that name.
func (l *List) Find(name string) (Item, bool) {
	for _, item := range l.Items {
		if item.Name == name && item.Odd == "" {
			return item, true
		}
	}
	return Item{}, false
}

// Result returns the list as one JSON value: the server's own bytes if it has one page, its items in one array
// if it has several.
func (l *List) Result() json.RawMessage {
	if len(l.Pages) == 1 {
		return l.Pages[0].Reply.Result
	}
	b := append(append([]byte(`{`), rawjson.Quote(l.Key)...), ':', '[')
	for i, item := range l.Items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item.Raw...)
	}
	return append(b, ']', '}')
}

// A Surface is all lists of a server. A list that the server does not declare is nil.
type Surface struct {
	Tools, Resources, Templates, Prompts *List
}

// Surface reads all the lists that the server declares.
func (s *Session) Surface(ctx context.Context) (*Surface, error) {
	out := &Surface{}
	for _, part := range []struct {
		capability, method string
		into               **List
	}{
		{"tools", "tools/list", &out.Tools},
		{"resources", "resources/list", &out.Resources},
		{"resources", "resources/templates/list", &out.Templates},
		{"prompts", "prompts/list", &out.Prompts},
	} {
		if !s.Declares(part.capability) {
			continue
		}
		list, err := s.List(ctx, part.method)
		if err != nil {
			return out, err
		}
		*part.into = list
	}
	return out, nil
}

// Declares reports whether the server has declared a capability, such as "tools" or "resources".
func (s *Session) Declares(capability string) bool {
	value, ok := member(s.Capabilities, capability)
	return ok && string(value) != "null"
}

// DeclaresExtension reports whether the server has declared an extension, such as [TasksExtension].
func (s *Session) DeclaresExtension(id string) bool {
	extensions, _ := member(s.Capabilities, "extensions")
	value, ok := member(extensions, id)
	return ok && string(value) != "null"
}
