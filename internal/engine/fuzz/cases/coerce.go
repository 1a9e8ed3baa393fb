package cases

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// coercible reports whether arguments match the schema once each value of a wrong type is converted without loss, as
// lenient validators do: "1" for 1, "true" for true, 1 for "1", 1 for true, null, an array or an object as a JSON string, null for a
// property that may be omitted.
func (g *Generator) coercible(arguments json.RawMessage, violations []schema.Violation) bool {
	if len(violations) > maxCoerced {
		return false
	}
	var edits []finding.Edit
	omitted := map[string]bool{} // null may violate several rules at one place
	for _, v := range violations {
		raw, ok := schema.Get(arguments, v.Path)
		value := converted(raw)
		if schema.Kind(raw) == 'n' && isProperty(arguments, v.Path) {
			omitted[v.Path] = true
			continue
		}
		if !ok || v.Path == "" || v.Rule != "type" && string(value) != "null" { // "null" is one of any text, such as those of an enum
			return false
		}
		if value == nil {
			return false
		}
		edits = append(edits, finding.Edit{Pointer: v.Path, Value: value})
	}
	for path := range omitted {
		edits = append(edits, finding.Edit{Pointer: path})
	}
	changed, err := schema.Apply(arguments, edits)
	return err == nil && len(g.compiled.Validate(changed)) == 0
}

// isProperty reports whether a place is a property of an object, not an item of an array.
func isProperty(arguments json.RawMessage, pointer string) bool {
	at := strings.LastIndexByte(pointer, '/')
	if at < 0 {
		return false
	}
	parent, _ := schema.Get(arguments, pointer[:at])
	return schema.Kind(parent) == '{'
}

// maxCoerced is the maximum number of values of one call that are converted to check whether it would be allowed.
const maxCoerced = 5

// converted is a value of a wrong type as a lenient reader would interpret it; nil if that is ambiguous.
func converted(raw json.RawMessage) json.RawMessage {
	switch schema.Kind(raw) {
	case '"':
		text := strings.TrimSpace(schema.Plain(raw))
		if text != "" && text[0] != '"' && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	case '0':
		switch string(raw) {
		case "0":
			return json.RawMessage("false")
		case "1":
			return json.RawMessage("true")
		}
		return rawjson.Quote(string(raw))
	case 't':
		return json.RawMessage("1")
	case 'f':
		return json.RawMessage("0")
	}
	return nil
}
