package apps

import (
	"encoding/base64"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Document returns the HTML of a view from the content of resources/read, or why it has none.
func Document(content json.RawMessage) (html, problem string) {
	text, hasText := schema.Get(content, "/text")
	blob, hasBlob := schema.Get(content, "/blob")
	switch {
	case hasText && hasBlob:
		return "", "has both text and blob, expected one of them"
	case !hasText && !hasBlob:
		return "", "has neither text nor blob, expected the HTML in one of them"
	}
	if html, ok := schema.Text(text); ok && hasText {
		return html, ""
	}
	encoded, ok := schema.Text(blob)
	if !ok {
		return "", "has " + brief(append(text, blob...)) + ", expected a string"
	}
	bytes, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", "has a blob that is not base64, expected the HTML encoded as base64"
	}
	return string(bytes), ""
}
