package view

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// FieldStates returns the state of every field of a form, and the violations by field.
func FieldStates(form *arguments.Form, value arguments.Value, raw json.RawMessage, errors []arguments.FieldError,
	violations []schema.Violation) ([]FieldState, []Violation) {
	violations = chosenVariants(form, value).only(violations)
	form, value = form.Chosen(value)
	w := &stateWalk{raw: raw, problems: map[string]string{}, errors: map[string]string{}, all: []FieldState{}}
	for _, v := range violations {
		if v.Rule == "required" {
			w.missing = append(w.missing, missingProperties{Violation: v})
		} else {
			w.note(v.Path, v.Message)
		}
	}
	for _, e := range errors {
		w.errors[e.Field] = e.Message
	}
	w.object(form.Fields, form.Items, value.Items, "", "")
	return w.all, w.perField(violations)
}

type stateWalk struct {
	raw      json.RawMessage
	problems map[string]string // by pointer
	errors   map[string]string // by path
	missing  []missingProperties
	all      []FieldState
}

func (w *stateWalk) note(pointer, message string) {
	if _, ok := w.problems[pointer]; !ok {
		w.problems[pointer] = message
	}
}

// object visits the declared fields in order, and then those that the user added, which open describes.
func (w *stateWalk) object(fields []arguments.Field, open *arguments.Field, items []arguments.Value, path,
	pointer string) {
	for n := range fields {
		w.lacks(pointer, fields[n].Name)
		w.field(&fields[n], find(items, fields[n].Name), join(path, fields[n].Name),
			pointer+"/"+schema.Token(fields[n].Name))
	}
	for n := range items {
		if item := &items[n]; item.Name != "" && !declared(fields, item.Name) {
			w.field(open, item, join(path, item.Name), pointer+"/"+schema.Token(item.Name))
		}
	}
}

func (w *stateWalk) field(f *arguments.Field, item *arguments.Value, path, pointer string) {
	raw, sent := schema.Get(w.raw, pointer)
	s := FieldState{Path: path, State: "unset", Problem: w.errors[path]}
	if s.Problem == "" {
		s.Problem = w.problems[pointer]
	}
	if sent {
		s.Pointer, s.State, s.JSON = pointer, stateOf(raw), clip.Text(string(raw), 4<<10)
	}
	f = f.Shape()
	s.Remark = remark(f, item)
	w.all = append(w.all, s)
	if !sent || f == nil || item == nil || item.State != arguments.Set {
		return
	}
	switch f, item = chosen(f, item); f.Kind {
	case arguments.KindObject:
		w.object(f.Fields, f.Items, item.Items, path, pointer)
	case arguments.KindTuple:
		w.tuple(f, item.Items, path, pointer)
	case arguments.KindList, arguments.KindRows:
		w.list(f, item.Items, path, pointer)
	}
}

// chosen follows the chosen variants of unions.
func chosen(f *arguments.Field, item *arguments.Value) (*arguments.Field, *arguments.Value) {
	for {
		variant, inner := f.Chosen(item)
		if variant == nil {
			return f, item
		}
		f, item = variant, inner
	}
}

// remark is what a form says about a value that is valid.
func remark(f *arguments.Field, item *arguments.Value) string {
	if f == nil || item == nil {
		return ""
	}
	if f, item = chosen(f, item); f.Kind != arguments.KindString || item.State != arguments.Set {
		return ""
	}
	return arguments.FormatRemark(f.Format, item.Text)
}

// list counts items as the form shows them in paths, and as they are sent in pointers: unset ones are not sent.
func (w *stateWalk) list(f *arguments.Field, items []arguments.Value, path, pointer string) {
	sent := 0
	for n := range items {
		at := fmt.Sprintf("%s[%d]", path, n)
		if items[n].State == arguments.Unset || items[n].State == "" {
			w.all = append(w.all, FieldState{Path: at, State: "unset"})
			continue
		}
		w.field(itemOf(f), &items[n], at, pointer+"/"+strconv.Itoa(sent))
		sent++
	}
}

func (w *stateWalk) tuple(f *arguments.Field, items []arguments.Value, path, pointer string) {
	for n := range f.Fields {
		name := f.Fields[n].Name
		w.field(&f.Fields[n], find(items, name), f.Inner(path, name), pointer+"/"+name)
	}
}

// itemOf returns the field of the items of a list or of rows.
func itemOf(f *arguments.Field) *arguments.Field {
	if f.Kind == arguments.KindRows {
		return &arguments.Field{Kind: arguments.KindObject, Fields: f.Fields, Items: f.Items}
	}
	return f.Items
}

// stateOf returns the state as one of four words.
func stateOf(raw json.RawMessage) string {
	switch string(raw) {
	case "null":
		return "null"
	case `""`, "[]", "{}":
		return "empty"
	}
	return "value"
}

func find(items []arguments.Value, name string) *arguments.Value {
	for n := range items {
		if items[n].Name == name {
			return &items[n]
		}
	}
	return nil
}

func declared(fields []arguments.Field, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func ShowViolations(list []schema.Violation) []Violation {
	all := []Violation{}
	for _, v := range list {
		all = append(all, Violation{Path: v.Path, Label: schema.Label(v.Path), Rule: v.Rule, Expected: v.Expected,
			Received: v.Received, Message: v.Message})
	}
	return all
}
