package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// rawOrBase64 returns a server's JSON unchanged. What is not valid inside JSON, such as invalid UTF-8, is encoded as
// base64.
func rawOrBase64(raw []byte) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	if utf8.Valid(raw) && json.Valid(raw) {
		return json.RawMessage(raw)
	}
	return serve.Encode(struct {
		Base64 string `json:"base64"`
		Reason string `json:"reason"`
	}{base64.StdEncoding.EncodeToString(raw), "the server sent bytes that are not valid UTF-8 JSON"})
}

// smallLimit is the maximum size of a value in a result that is not about it.
const smallLimit = 256 << 10

// small returns a value unchanged, unless it is too large for the result.
func small(raw []byte) json.RawMessage {
	if len(raw) <= smallLimit {
		return rawOrBase64(raw)
	}
	encoded, _ := ordered{"cut_bytes", len(raw), "how",
		"use get_frame to read the frame that contains it"}.MarshalJSON()
	return encoded
}
