package fuzz

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var listsProperty = &Property{finding.Rule{ID: "FUZZ-033", Severity: finding.Warning,
	Doc: `list is null instead of empty

The same property of a result is an array in one call and null in another that differs in one text, and never an empty array.
Clients that loop over the array fail. In Go, a nil slice becomes null: use make([]T, 0). Nothing is reported if the tool
has an output schema, or if its description says when something is null.`}, keepsLists}

// keepsLists holds unless a list of a result is null in one call and has items in another.
func keepsLists(s *observation) *violation {
	if s.lists == nil || s.output != nil || !accepted(s) || !s.Case.Allowed {
		return nil
	}
	result := s.parts().data
	if text := s.errorText(); result == nil && len(text) <= maxMirrored && json.Valid([]byte(text)) {
		result = json.RawMessage(text)
	}
	path, null, full := s.lists.Compare(s.Case.Arguments, result, func(argument string) bool {
		at := "/properties/" + schema.Token(argument)
		property, _ := schema.Get(s.input, at)
		_, listed := schema.Get(property, "/enum")
		return !listed && schema.TextAt(schema.NewResolver(s.input).Plain(property), "/type") == "string"
	})
	if path == "" {
		return nil
	}
	return &violation{cause: "null " + path, message: path + " is null for " + clip.Sized(string(null), maxDisplayed/4) + " and an array for " +
		clip.Sized(string(full), maxDisplayed/4) +
		": expected an empty array"}
}
