package inspector

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A lack is a violation that says which members of an object are missing, all in one sentence. A form says it at each field.
type lack struct {
	Violation
	names []string // of the fields that say it
}

// lists reports whether a member is among the missing.
func (l *lack) lists(name string) bool {
	return strings.Contains(", "+l.Expected+", ", ", "+name+", ")
}

// of is the sentence for one of the members.
func (l *lack) of(name string) string {
	return strings.TrimSuffix(l.Message, l.Expected) + name
}

// apart is the violation as its fields say it: one for each, or the whole of it where a member has no field.
func (l *lack) apart() []Violation {
	if len(strings.Join(l.names, ", ")) != len(l.Expected) {
		return []Violation{l.Violation}
	}
	var all []Violation
	for _, name := range l.names {
		one := l.Violation
		one.Expected, one.Message = name, l.of(name)
		all = append(all, one)
	}
	return all
}

// lacks notes what the violations say of a member that is missing from the object at a pointer.
func (w *stateWalk) lacks(pointer, name string) {
	for n := range w.missing {
		if l := &w.missing[n]; l.Path == pointer && l.lists(name) {
			l.names = append(l.names, name)
			w.note(pointer+"/"+schema.Token(name), l.of(name))
		}
	}
}

// said are the violations, in their order, as the fields say them.
func (w *stateWalk) said(violations []Violation) []Violation {
	all, next := []Violation{}, 0
	for _, v := range violations {
		if v.Rule != "required" {
			all = append(all, v)
			continue
		}
		all = append(all, w.missing[next].apart()...)
		next++
	}
	return all
}
