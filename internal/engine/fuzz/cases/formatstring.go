package cases

import (
	"bytes"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// ReadsAttribute is the end of placeholders that only Python's str.format replaces: with the class of an object.
const ReadsAttribute = ".__class__}"

// ShownClass is the start of the text of a class of Python.
const ShownClass = "<class '"

// placeholder matches a placeholder in a description, such as {customer.name}: the first group is the object.
var placeholder = lazyregexp.New(`\{([A-Za-z_]\w*)(?:\.\w+)*\}`)

// formatStrings are templates that read an attribute of an object that the description names, or of the first argument.
func formatStrings(n *node) []edit {
	text := "{0" + ReadsAttribute
	found := placeholder().FindStringSubmatch(schema.TextAt(n.rules.Raw, "/description"))
	if found != nil {
		text = "{" + found[1] + ReadsAttribute
	}
	edits := replace(n, AgentMistake, "a template that reads an attribute", string(rawjson.Quote(text)))
	if found != nil {
		edits = first(edits)
	}
	return edits
}

// WithoutAttribute returns arguments with placeholders for an attribute that no object has.
func WithoutAttribute(arguments json.RawMessage) json.RawMessage {
	return bytes.ReplaceAll(arguments, []byte(ReadsAttribute), []byte(".zq9}"))
}
