package inspector

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A lack is a violation that lists the missing fields of an object in one sentence. A form shows it at each
// field.
type lack struct {
	Violation
	names []string // of the fields that show it
}

// lists reports whether a field is among the missing.
func (l *lack) lists(name string) bool {
	return strings.Contains(", "+l.Expected+", ", ", "+name+", ")
}

// of returns the sentence for one of the fields.
func (l *lack) of(name string) string {
	return strings.TrimSuffix(l.Message, l.Expected) + name
}

// apart splits the violation by field: one for each, or the whole violation if a field is not in the form.
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

// lacks stores the violation that a field is missing from the object at a pointer.
func (w *stateWalk) lacks(pointer, name string) {
	for n := range w.missing {
		if l := &w.missing[n]; l.Path == pointer && l.lists(name) {
			l.names = append(l.names, name)
			w.note(pointer+"/"+schema.Token(name), l.of(name))
		}
	}
}

// said returns the violations in order, split by field.
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
