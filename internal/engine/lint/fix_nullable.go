package lint

import (
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// addNull allows null for one property in the simplest way that its schema permits.
func addNull(changes *patch, q *Subschema, space bool) {
	gap := ""
	if space {
		gap = " "
	}
	null := `{"type":` + gap + `"null"}`
	switch {
	case onlyRestrictedBy(q, "type", "enum"):
		changes.add(typeEdits(q, gap)...)
	case onlyRestrictedBy(q, "anyOf"):
		changes.add(finding.Edit{Pointer: q.WhereKey("anyOf") + "/-", Value: json.RawMessage(null)})
	default:
		tokens, _ := schema.Tokens(q.Where())
		changes.at(tokens).wrap = func(whole json.RawMessage) json.RawMessage {
			return json.RawMessage(`{"anyOf":` + gap + `[` + string(whole) + `,` + gap + null + `]}`)
		}
	}
}

func typeEdits(q *Subschema, gap string) []finding.Edit {
	var edits []finding.Edit
	switch value, _ := q.Get("type"); schema.Kind(value) {
	case '"':
		list := `[` + string(value) + `,` + gap + `"null"]`
		edits = append(edits, finding.Edit{Pointer: q.WhereKey("type"), Value: json.RawMessage(list)})
	case '[':
		if !slices.Contains(q.Types(), "null") {
			edits = append(edits, finding.Edit{Pointer: q.WhereKey("type") + "/-", Value: json.RawMessage(`"null"`)})
		}
	}
	if value, ok := q.Get("enum"); ok && !holdsNull(value) {
		edits = append(edits, finding.Edit{Pointer: q.WhereKey("enum") + "/-", Value: json.RawMessage("null")})
	}
	return edits
}

// onlyRestrictedBy reports whether no keyword other than those named can reject null. Limits such as maxLength never
// do: they apply only to values of their own type.
func onlyRestrictedBy(q *Subschema, keywords ...string) bool {
	if !slices.ContainsFunc(keywords, q.Has) {
		return false
	}
	for _, m := range q.Members {
		switch m.Name {
		case "type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "$ref", "$dynamicRef", "$recursiveRef":
			if !slices.Contains(keywords, m.Name) {
				return false
			}
		}
	}
	return true
}

// jsonString renders s as a JSON string.
func jsonString(s string) json.RawMessage {
	quoted, _ := jsontext.AppendQuote(nil, s)
	return json.RawMessage(quoted)
}
