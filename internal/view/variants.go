package view

import (
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A variantMap has the variants that the user chose, by the pointer of their value.
type variantMap map[string]chosenVariant

type chosenVariant struct{ at, of int }

func chosenVariants(form *arguments.Form, value arguments.Value) variantMap {
	m := variantMap{}
	if n := len(form.Variants); n > 0 {
		m[""] = chosenVariant{value.Variant, n}
	}
	form, value = form.Chosen(value)
	m.object(form.Fields, form.Items, value.Items, "")
	return m
}

func (m variantMap) object(fields []arguments.Field, open *arguments.Field, items []arguments.Value, pointer string) {
	for n := range items {
		described := open
		for i := range fields {
			if fields[i].Name == items[n].Name {
				described = &fields[i]
			}
		}
		m.field(described, &items[n], pointer+"/"+schema.Token(items[n].Name))
	}
}

func (m variantMap) field(f *arguments.Field, item *arguments.Value, pointer string) {
	if f = f.Shape(); f == nil || item.State != arguments.Set {
		return
	}
	if f.Kind == arguments.KindUnion {
		m[pointer] = chosenVariant{item.Variant, len(f.Variants)}
	}
	switch f, item = chosen(f, item); f.Kind {
	case arguments.KindObject, arguments.KindTuple:
		m.object(f.Fields, f.Items, item.Items, pointer)
	case arguments.KindList, arguments.KindRows:
		sent := 0
		for n := range item.Items {
			if state := item.Items[n].State; state == arguments.Unset || state == "" {
				continue
			}
			m.field(itemOf(f), &item.Items[n], pointer+"/"+strconv.Itoa(sent))
			sent++
		}
	}
}

// only replaces the violations of all variants of a union by those of the chosen one.
func (m variantMap) only(violations []schema.Violation) []schema.Violation {
	var all []schema.Violation
	for _, v := range violations {
		branches := withoutNull(v)
		chosen, known := m[v.Path]
		if !known || len(branches) != chosen.of || chosen.at < 0 || chosen.at >= len(branches) || len(branches[chosen.at]) == 0 {
			all = append(all, v)
			continue
		}
		all = append(all, m.only(branches[chosen.at])...)
	}
	return all
}

// withoutNull omits the alternative null, which is a state of a field and not a variant.
func withoutNull(v schema.Violation) [][]schema.Violation {
	var rest [][]schema.Violation
	for _, branch := range v.Branches {
		if len(branch) != 1 || branch[0].Path != v.Path || branch[0].Rule != "type" || branch[0].Expected != "null" {
			rest = append(rest, branch)
		}
	}
	return rest
}
