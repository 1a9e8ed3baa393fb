package fuzz

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

var serializedProperty = &Property{finding.Rule{ID: "FUZZ-024", Severity: finding.Warning,
	Doc: `text of the result is not a value of the tool

The text contains what a language prints for a value that was not serialized, awaited or valid: [object Object],
<coroutine object …>, Invalid Date, a line that ends with ": undefined". A model takes it for data. Serialize the value, await
it, or return isError with a message that says which argument to change.`}, returnsValues}

// returnsValues holds unless the text of a result shows a value that was converted to text by accident.
func returnsValues(s *observation) *violation {
	if !accepted(s) || s.parts().content == nil {
		return nil
	}
	found := exposure.FindUnserialized(errorText(s.Exchange.Reply))
	if found == "" || s.sent(found) {
		return nil
	}
	return &violation{cause: "unserialized", message: "text contains what is not a value of the tool: expected its content, got " +
		clip.Sized(found, maxDisplayed)}
}
