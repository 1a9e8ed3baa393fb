package subschema

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// annotations are the keywords that accept and reject nothing. Like the validators of mcptest, this package treats
// format as an annotation.
var annotations = []string{
	"$schema", "$anchor", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "example",
	"deprecated", "readOnly", "writeOnly", "format", "contentEncoding", "contentMediaType", "contentSchema",
}

// draftMark is part of the text of a keyword whose meaning depends on the draft, so that equal texts mean the same.
func draftMark(keyword string, value any, draft int) string {
	differs := false
	switch keyword {
	case "prefixItems", "additionalItems", "dependentRequired", "dependentSchemas", "dependencies",
		"unevaluatedProperties",
		"unevaluatedItems", "minContains", "maxContains", "$id", "id":
		differs = true
	case "items":
		_, differs = value.([]any)
	case "const", "contains", "propertyNames", "exclusiveMinimum", "exclusiveMaximum":
		differs = draft < 6
	case "if", "then", "else":
		differs = draft < 7
	}
	if !differs {
		return ""
	}
	return strconv.Itoa(draft)
}

// canonical is the text of the subschema without annotations and order. Two subschemas with the same text accept
// the same values. It is empty if the text contains a reference, whose target may differ.
func (n *node) canonical() string {
	if n.canon == nil {
		w := canonicalWriter{draft: n.draft}
		if !w.schema(n.value) {
			w.out.Reset()
		}
		text := w.out.String()
		n.canon = &text
	}
	return *n.canon
}

func canonicalValue(value any, draft int) string {
	w := canonicalWriter{draft: draft}
	if !w.schema(value) {
		return ""
	}
	return w.out.String()
}

type canonicalWriter struct {
	out   strings.Builder
	draft int
}

// schema writes a subschema, or a list of them; it reports whether it contains no reference.
func (w *canonicalWriter) schema(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return w.fields(value, func(key string, inner any) (bool, bool) {
			switch {
			case slices.Contains(annotations, key):
				return false, true
			case key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef":
				return false, false
			}
			fmt.Fprintf(&w.out, "%s%q:", draftMark(key, inner, w.draft), key)
			switch key {
			case "properties", "patternProperties", "dependentSchemas":
				return true, w.named(inner)
			case "enum", "const", "required":
				w.verbatim(inner)
				return true, true
			}
			return true, w.schema(inner)
		})
	case []any:
		w.out.WriteByte('[')
		for _, inner := range value {
			if !w.schema(inner) {
				return false
			}
			w.out.WriteByte(',')
		}
		w.out.WriteByte(']')
		return true
	}
	w.verbatim(value)
	return true
}

func (w *canonicalWriter) fields(value map[string]any, write func(string, any) (wrote, ok bool)) bool {
	keys := make([]string, 0, len(value))
	for key := range value {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	w.out.WriteByte('{')
	for _, key := range keys {
		wrote, ok := write(key, value[key])
		if !ok {
			return false
		}
		if wrote {
			w.out.WriteByte(',')
		}
	}
	w.out.WriteByte('}')
	return true
}

// named writes an object whose values are subschemas.
func (w *canonicalWriter) named(value any) bool {
	entries, ok := value.(map[string]any)
	if !ok {
		return w.schema(value)
	}
	return w.fields(entries, func(key string, inner any) (bool, bool) {
		fmt.Fprintf(&w.out, "%q:", key)
		return true, w.schema(inner)
	})
}

func (w *canonicalWriter) verbatim(value any) { w.out.WriteString(valueKey(value)) }

// valueKey is the same text for equal JSON values: 1, 1.0 and 1e0 are equal.
func valueKey(value any) string {
	switch value := value.(type) {
	case json.Number:
		if r, ok := rational(value); ok {
			return r.RatString()
		}
		return value.String()
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		var out strings.Builder
		out.WriteByte('{')
		for _, key := range keys {
			fmt.Fprintf(&out, "%q:%s,", key, valueKey(value[key]))
		}
		out.WriteByte('}')
		return out.String()
	case []any:
		var out strings.Builder
		out.WriteByte('[')
		for _, inner := range value {
			out.WriteString(valueKey(inner) + ",")
		}
		out.WriteByte(']')
		return out.String()
	}
	text, _ := json.Marshal(value)
	return string(text)
}
