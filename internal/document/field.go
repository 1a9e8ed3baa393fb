package document

import (
	"reflect"
	"strings"
)

// A field is one key of a mapping, as a struct declares it.
type field struct {
	name, doc, enum string
	usual, example  string // in YAML: the default, and an example
	required        bool
	index           []int
	typ             reflect.Type
	hidden          bool // a deprecated name, still accepted but not advertised
}

// fieldsOf lists the fields of a struct, including those of embedded structs.
func fieldsOf(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get("yaml")
		if f.Anonymous && name == "" {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				all = append(all, inner)
			}
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		for j, spelling := range strings.Split(name, ",") {
			all = append(all, field{name: spelling, doc: f.Tag.Get("doc"), enum: f.Tag.Get("enum"),
				usual: f.Tag.Get("default"), example: f.Tag.Get("example"),
				required: j == 0 && f.Tag.Get("required") == "yes",
				index:    []int{i}, typ: f.Type, hidden: j > 0})
		}
	}
	return all
}

func find(fields []field, name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}
