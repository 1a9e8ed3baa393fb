package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// An ordered is a JSON object, given as alternating names and values. It keeps their order.
type ordered []any

// MarshalJSON writes the object.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i+1 < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(serve.Encode(o[i]))
		b.WriteByte(':')
		if raw, ok := o[i+1].(json.RawMessage); ok {
			b.Write(raw)
			continue
		}
		b.Write(serve.Encode(o[i+1]))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
