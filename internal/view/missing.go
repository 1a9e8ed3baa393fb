package view

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A missingProperties is a violation that lists the missing properties of an object. A form shows it at each of their
// fields.
type missingProperties struct {
	schema.Violation
	shown []schema.Violation // one for each property that has a field, in the order of the form
}

// lacks stores the violation that a field is missing from the object at a pointer.
func (w *stateWalk) lacks(pointer, name string) {
	for n := range w.missing {
		l := &w.missing[n]
		if at := slices.Index(l.Missing, name); l.Path == pointer && at >= 0 {
			one := l.PerName()[at]
			l.shown = append(l.shown, one)
			w.note(pointer+"/"+schema.Token(name), one.Message)
		}
	}
}

// perField returns the violations in order. One that lists missing properties is split if each has a field.
func (w *stateWalk) perField(violations []schema.Violation) []Violation {
	var all []schema.Violation
	next := 0
	for _, v := range violations {
		if v.Rule != "required" {
			all = append(all, v)
			continue
		}
		if l := w.missing[next]; len(l.shown) == len(l.Missing) {
			all = append(all, l.shown...)
		} else {
			all = append(all, v)
		}
		next++
	}
	return ShowViolations(all)
}
