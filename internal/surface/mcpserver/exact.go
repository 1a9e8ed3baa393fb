package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// exact is a server's JSON as it came. What cannot stand inside JSON, such as bytes that are no UTF-8, comes as base64.
func exact(raw []byte) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	if utf8.Valid(raw) && json.Valid(raw) {
		return json.RawMessage(raw)
	}
	return serve.Encode(struct {
		Base64 string `json:"base64"`
		Reason string `json:"reason"`
	}{base64.StdEncoding.EncodeToString(raw), "the server sent bytes that are not JSON in UTF-8"})
}

// smallLimit is how much of a value stands in an answer that is not about it.
const smallLimit = 256 << 10

// small is a value as it came, unless it is so large that it would crowd the answer.
func small(raw []byte) json.RawMessage {
	if len(raw) <= smallLimit {
		return exact(raw)
	}
	encoded, _ := ordered{"cut_bytes", len(raw), "how", "get_transcript returns the frame that it stands in"}.MarshalJSON()
	return encoded
}

// textAt is the string at a pointer; empty if there is none.
func textAt(doc json.RawMessage, pointer string) string {
	raw, _ := schema.Get(doc, pointer)
	s, _ := schema.Text(raw)
	return s
}

// clip shortens text for a summary and says by how much.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
