package view

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// payloadBytes is the maximum size of a body that is parsed for its payload. The beginning of a larger one usually
// contains it.
const payloadBytes = 64 << 10

// Payload returns the part of a message that distinguishes it from others: its params, result or error, without
// the metadata that every message of a connection has. The payload of anything else is the whole body.
func Payload(m mcp.Message) []byte {
	body := m.Frame.Body
	if len(body) > payloadBytes || len(m.Rest) > 0 {
		return body
	}
	part := m.Params
	switch {
	case m.Result != nil:
		part = m.Result
	case m.Error != nil:
		part, _ = schema.Get(body, "/error")
	case m.Method != "" && m.Params == nil:
		return nil
	}
	if part == nil {
		return body
	}
	if given, ok := schema.Get(part, "/arguments"); ok && m.Method != "" {
		part = given // the name of the called item is shown next to it
	} else if bare, err := schema.Apply(part, []finding.Edit{{Pointer: "/_meta"}}); err == nil {
		part = bare
	}
	return json.RawMessage(part)
}
