package volatile

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxDepth is how deep JSON in a text may be nested to be read as JSON.
const maxDepth = 64

// IsJSON reports whether a text is a JSON object or array, as many tools return it.
func IsJSON(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' || !json.Valid([]byte(text)) {
		return false
	}
	_, deeper := rawjson.DeeperThan([]byte(text), maxDepth)
	return !deeper
}

// IsText64 reports whether a field is the base64 form of a text, as a resource may contain it.
func IsText64(name, value string) bool {
	if name != "blob" && name != "data" {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(value)
	return err == nil && utf8.Valid(text)
}

// Decode64 returns a base64 text as a JSON string.
func Decode64(value string) json.RawMessage {
	text, _ := base64.StdEncoding.DecodeString(value)
	return rawjson.Quote(string(text))
}

// IsMirror reports whether the content of a tool result is the text of its structured content.
func IsMirror(result []schema.Member) bool {
	var content, structured json.RawMessage
	for _, m := range result {
		switch m.Name {
		case "content":
			content = m.Value
		case "structuredContent":
			structured = m.Value
		}
	}
	blocks, _ := schema.Elements(content)
	if structured == nil || len(blocks) != 1 {
		return false
	}
	raw, _ := schema.Get(blocks[0], "/text")
	text, ok := schema.Text(raw)
	if !ok {
		return false
	}
	if wrapped, found := schema.Get(structured, "/result"); found { // how Python SDKs return what is not an object
		if value, ok := schema.Text(wrapped); ok && value == text {
			return true
		}
		if equal(wrapped, text) {
			return true
		}
	}
	return equal(structured, text)
}

// equal reports whether a text is the JSON form of a value. Numbers are compared by value.
func equal(value json.RawMessage, text string) bool {
	var a, b any
	return json.Unmarshal(value, &a) == nil && json.Unmarshal([]byte(text), &b) == nil && reflect.DeepEqual(a, b)
}
