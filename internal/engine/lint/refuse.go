package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// plainlyValid reports whether a value certainly satisfies a schema: it has the declared type, or it is in the enum
// verbatim, and nothing else constrains it. False means only that the validator must decide.
func plainlyValid(place *Subschema, value json.RawMessage) bool {
	for _, m := range place.Members {
		switch m.Name {
		case "type", "enum", "default", "title", "description", "examples", "format", "items", "properties",
			"additionalProperties":
		case "minimum", "exclusiveMinimum":
			if !below(m.Value, value) {
				return false
			}
		case "maximum", "exclusiveMaximum":
			if !below(value, m.Value) {
				return false
			}
		case "anyOf":
			if !slices.ContainsFunc(place.Under("anyOf"), func(q *Subschema) bool { return plainlyValid(q, value) }) {
				return false
			}
		default:
			return false
		}
	}
	return plainKind(place, value)
}

// plainKind checks type and enum only.
func plainKind(place *Subschema, value json.RawMessage) bool {
	if types := place.Types(); place.Has("type") &&
		!slices.ContainsFunc(types, func(name string) bool { return isKind(name, value) }) {
		return false
	}
	if list, ok := place.Get("enum"); ok {
		elements, _ := schema.Elements(list)
		return slices.ContainsFunc(elements, func(e json.RawMessage) bool { return bytes.Equal(e, value) })
	}
	kind := schema.Kind(value)
	return kind != '{' && kind != '[' || len(value) == 2 && !place.Has("required")
}

// below compares small whole numbers; false for anything else.
func below(low, high json.RawMessage) bool {
	from, errFrom := strconv.Atoi(string(low))
	to, errTo := strconv.Atoi(string(high))
	return errFrom == nil && errTo == nil && from < to
}

func isKind(name string, value json.RawMessage) bool {
	switch kind := schema.Kind(value); name {
	case "string":
		return kind == '"'
	case "number":
		return kind == '0'
	case "integer":
		return kind == '0' && !bytes.ContainsAny(value, ".eE")
	case "boolean":
		return kind == 't' || kind == 'f'
	case "null":
		return kind == 'n'
	case "object":
		return kind == '{'
	case "array":
		return kind == '['
	}
	return false
}

// refuseBudget bounds the bytes of schemas that are compiled to validate the values in one document. With references,
// each value takes the whole document.
const refuseBudget = 1 << 18

// refuses returns why a schema rejects a value; empty if it accepts it or cannot be used. The schema is compiled with
// the definitions of its document, so that references resolve.
func refuses(place *Subschema, value json.RawMessage) string {
	raw := place.Raw
	if !place.Doc.spend(len(raw)) {
		return ""
	}
	if bytes.Contains(raw, []byte(`"$ref"`)) {
		if schema.Kind(value) == '{' {
			return "" // the root's own properties would also validate it
		}
		if !place.Doc.spend(len(place.Doc.Raw)) {
			return ""
		}
		holder := finding.Edit{Pointer: "/$ref", Value: jsonString("#" + place.Pointer)}
		var err error
		if raw, err = rooted(place.Doc, holder); err != nil {
			return ""
		}
	}
	compiled, err := schema.Compile(raw, nil)
	if err != nil {
		return ""
	}
	for _, v := range compiled.Validate(value) {
		if v.Rule != schema.RuleLimit {
			return v.Message
		}
	}
	return ""
}

// spend reports whether this many more bytes may be compiled.
func (d *Document) spend(bytes int) bool {
	d.compiled += bytes
	return d.compiled <= refuseBudget
}

// rooted is a schema that is equivalent to one place of the document: a reference to it next to everything else, with
// the requirements of the root removed.
func rooted(doc *Document, ref finding.Edit) (json.RawMessage, error) {
	edits := []finding.Edit{ref}
	for _, keyword := range []string{"type", "required", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "if",
		"$ref"} {
		if keyword != "$ref" && doc.Root().Has(keyword) {
			edits = append(edits, finding.Edit{Pointer: "/" + keyword})
		}
	}
	return schema.Apply(doc.Raw, edits)
}
