package rawjson

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Quote encodes a string as JSON, with minimal escapes.
func Quote(s string) json.RawMessage { return AppendQuote(make([]byte, 0, len(s)+2), s) }

// AppendQuote appends a string as JSON, with minimal escapes. Invalid UTF-8 becomes U+FFFD.
func AppendQuote(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			b, _ = jsontext.AppendQuote(b, s) // the only error is invalid UTF-8, which it has replaced
			return b
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
