package fuzz

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

var serializedProperty = &Property{finding.Rule{ID: "FUZZ-024", Severity: finding.Warning,
	Doc: `text of the result is not a value of the tool

The text contains what a language prints for a value that was not serialized, awaited or valid: [object Object],
<coroutine object …>, Invalid Date, %!w(<nil>), a line that ends with ": undefined". A model takes it for data. Serialize the value, await
it, or return isError with a message that says which argument to change. For arguments such as constructor and __proto__,
the cause is a lookup in a plain JavaScript object, which inherits properties of these names: use Object.hasOwn or a Map.`}, returnsValues}

// returnsValues holds unless the text of a result shows a value that was converted to text by accident.
func returnsValues(s *observation) *violation {
	if !accepted(s) || s.parts().content == nil {
		return nil
	}
	if b := formatFault(s); b != nil {
		return b
	}
	found := exposure.FindUnserialized(s.errorText())
	if found == "" || s.sent(found) || s.endsAsSent(found, "NaN") || s.endsAsSent(found, "undefined") {
		return nil
	}
	if name := s.inheritedName(); name != "" && strings.Contains(functionOrObject, found) {
		return &violation{cause: "inherited", message: "the tool looks " + name + " up in a plain object and finds what " +
			"every JavaScript object inherits: expected an error for an unknown name, got " + clip.Sized(found, maxDisplayed) +
			"; use Object.hasOwn or a Map"}
	}
	return &violation{cause: "unserialized", message: "text contains what is not a value of the tool: expected its content, got " +
		clip.Sized(found, maxDisplayed)}
}

// functionOrObject is what JavaScript prints for inherited functions and for Object.prototype.
const functionOrObject = "{ [native code] } [object Object]"

// inheritedName returns the name in the arguments that every JavaScript object inherits; empty if there is none.
func (s *observation) inheritedName() string {
	for _, name := range []string{"constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf",
		"toLocaleString"} {
		if s.sent(`"` + name + `"`) {
			return name
		}
	}
	return ""
}

// endsAsSent reports whether a text ends with a word because it was sent: "x is NaN" for the argument "NaN".
func (s *observation) endsAsSent(text, word string) bool {
	return strings.HasSuffix(text, word) && s.sent(word)
}
