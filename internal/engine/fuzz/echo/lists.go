package echo

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of what is compared.
const (
	maxListCalls = 6 // calls of a tool that are remembered for a member, of each kind
	maxListDepth = 3
	minNullCalls = 2 // calls in which a list is null
)

// Lists is what is known about the members of a tool's results that are lists: where they are null, and where not.
type Lists struct {
	MayBeNull bool // the tool says when something is null, so that nothing is compared

	seen map[string]*listMember
}

type listMember struct {
	null, full []listCall
	empty      bool // it was an empty list once, so that null means something else
}

// A listCall is a call, and the other members beside the list.
type listCall struct {
	arguments json.RawMessage
	beside    string
}

// Forget removes all results.
func (l *Lists) Forget() { l.seen = nil }

// Compare records a result. It returns the path of a list that is null in it or in an earlier one, and the arguments of two calls
// that differ in one text: in one of them it is null, in the other it has items. The path is empty if there is none.
func (l *Lists) Compare(arguments, result json.RawMessage, isFree func(argument string) bool) (path string, null, full json.RawMessage) {
	if l.MayBeNull {
		return "", nil, nil
	}
	if l.seen == nil {
		l.seen = map[string]*listMember{}
	}
	l.visit(arguments, result, "", maxListDepth)
	paths := make([]string, 0, len(l.seen))
	for path := range l.seen {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		m := l.seen[path]
		if m.empty || len(m.null) < minNullCalls {
			continue
		}
		for _, a := range m.null {
			for _, b := range m.full {
				if a.beside == b.beside && differInText(a.arguments, b.arguments, isFree) {
					return path, a.arguments, b.arguments
				}
			}
		}
	}
	return "", nil, nil
}

// visit records the lists of an object. Items of lists are not compared: they differ.
func (l *Lists) visit(arguments, object json.RawMessage, at string, depth int) {
	if schema.Kind(object) != '{' || depth == 0 {
		return
	}
	members, _ := schema.Members(object)
	for i, m := range members {
		path := strings.TrimPrefix(at+"."+m.Name, ".")
		known := l.seen[path]
		if known == nil {
			known = &listMember{}
			l.seen[path] = known
		}
		call := listCall{slices.Clone(arguments), kindsOf(members, i)}
		switch items, _ := schema.Elements(m.Value); schema.TypeOf(m.Value) {
		case "null":
			known.null = remember(known.null, call)
		case "array":
			if known.empty = known.empty || len(items) == 0; len(items) > 0 {
				known.full = remember(known.full, call)
			}
		case "object":
			l.visit(arguments, m.Value, path, depth-1)
		}
	}
}

func remember(calls []listCall, one listCall) []listCall {
	if len(calls) >= maxListCalls || slices.ContainsFunc(calls, func(c listCall) bool { return string(c.arguments) == string(one.arguments) }) {
		return calls
	}
	return append(calls, one)
}

// kindsOf describes the members of an object except for one: their names and types, and the values of booleans.
func kindsOf(members []schema.Member, except int) string {
	var all []string
	for i, m := range members {
		kind := schema.TypeOf(m.Value)
		switch {
		case i == except:
			continue
		case kind == "boolean":
			kind = string(m.Value)
		case kind == "integer":
			kind = "number"
		}
		all = append(all, m.Name+":"+kind)
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// differInText reports whether arguments differ only in the value of one text that may be anything.
func differInText(a, b json.RawMessage, isFree func(string) bool) bool {
	first, _ := schema.Members(a)
	second, _ := schema.Members(b)
	different := 0
	for _, m := range first {
		i := slices.IndexFunc(second, func(o schema.Member) bool { return o.Name == m.Name })
		if i < 0 {
			return false
		}
		if string(second[i].Value) == string(m.Value) {
			continue
		}
		if different++; schema.Kind(m.Value) != '"' || schema.Kind(second[i].Value) != '"' || !isFree(m.Name) {
			return false
		}
	}
	return different == 1 && len(first) == len(second)
}
