package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// constraintsOf drops what rejects nothing.
func constraintsOf(s map[string]any) map[string]any {
	kept := map[string]any{}
	for name, value := range s {
		if !isText(name) && name != "$defs" && name != "definitions" {
			kept[name] = value
		}
	}
	return kept
}

// describe names the keywords that differ, at most four of them.
func describe(before, after map[string]any) string {
	old, now := constraintsOf(before), constraintsOf(after)
	names := append(sortedKeys(old), sortedKeys(now)...)
	slices.Sort(names)
	var parts []string
	if typesOf(old) != typesOf(now) {
		parts = append(parts, fmt.Sprintf("type changed from %s to %s", typesOf(old), typesOf(now)))
	}
	for _, name := range slices.Compact(names) {
		was, had := old[name]
		is, has := now[name]
		switch {
		case had == has && equal(was, is), name == "type", name == "anyOf" || name == "oneOf", name == "const":
			continue
		case name == "enum":
			continue
		default:
			parts = append(parts, keywordChange(name, was, had, is, has))
		}
	}
	if text := describeValues(old, now); text != "" {
		parts = append(parts, text)
	}
	switch {
	case len(parts) == 0:
		return "alternatives changed"
	case len(parts) > 4:
		parts = append(parts[:3], fmt.Sprintf("%d more", len(parts)-3))
	}
	return strings.Join(parts, ", ")
}

// typesOf summarizes the types of a subschema, alternatives included.
func typesOf(s map[string]any) string {
	var names []string
	var collect func(value any, depth int)
	collect = func(value any, depth int) {
		in, _ := value.(map[string]any)
		switch t := in["type"].(type) {
		case string:
			names = append(names, t)
		case []any:
			for _, name := range t {
				names = append(names, textOf(name))
			}
		}
		for _, keyword := range []string{"anyOf", "oneOf"} {
			list, _ := in[keyword].([]any)
			for _, inner := range list {
				if depth < 3 {
					collect(inner, depth+1)
				}
			}
		}
	}
	collect(s, 0)
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return "any"
	}
	return strings.Join(names, " or ")
}

// valuesOf lists the values of enum and const, alternatives included.
func valuesOf(s map[string]any) []string {
	var values []string
	if list, ok := s["enum"].([]any); ok {
		for _, value := range list {
			values = append(values, brief(value))
		}
	}
	if value, ok := s["const"]; ok {
		values = append(values, brief(value))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		list, _ := s[keyword].([]any)
		for _, inner := range list {
			if in, ok := inner.(map[string]any); ok {
				values = append(values, valuesOf(in)...)
			}
		}
	}
	return values
}

func describeValues(old, now map[string]any) string {
	before, after := valuesOf(old), valuesOf(now)
	missing := func(from, in []string) []string {
		return slices.DeleteFunc(slices.Clone(from), func(v string) bool { return slices.Contains(in, v) })
	}
	gone, come := missing(before, after), missing(after, before)
	var parts []string
	switch {
	case len(before) == 0 && len(after) > 0:
		parts = append(parts, "only these values are allowed now: "+few(after))
	case len(after) == 0 && len(before) > 0:
		parts = append(parts, "no longer limited to "+few(before))
	default:
		if len(gone) > 0 {
			parts = append(parts, "value removed: "+few(gone))
		}
		if len(come) > 0 {
			parts = append(parts, "value added: "+few(come))
		}
	}
	return strings.Join(parts, ", ")
}

func few(values []string) string {
	if len(values) > 5 {
		return strings.Join(values[:4], ", ") + fmt.Sprintf(" and %d more", len(values)-4)
	}
	return strings.Join(values, ", ")
}

// onlySafeBounds recognizes bounds of ±(2^53-1), which generators write for every integer.
func onlySafeBounds(old, now map[string]any) bool {
	return equal(withoutSafe(constraintsOf(old)), withoutSafe(constraintsOf(now)))
}

func withoutSafe(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, inner := range value {
			number, _ := inner.(json.Number)
			if name == "maximum" && number == "9007199254740991" || name == "minimum" && number == "-9007199254740991" {
				continue
			}
			kept[name] = withoutSafe(inner)
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, inner := range value {
			kept[i] = withoutSafe(inner)
		}
		return kept
	}
	return value
}
