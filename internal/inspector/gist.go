package inspector

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// gistBytes is up to which size a body is read for its gist. A larger one begins with it often enough.
const gistBytes = 64 << 10

// gist is the part of a message that tells it from others: its params, result or error, without the metadata that every
// message of a connection has. What is no message is its own gist.
func gist(m mcp.Message) []byte {
	body := m.Frame.Body
	if len(body) > gistBytes || len(m.Rest) > 0 {
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
		part = given // the name of what is called stands beside it
	} else if bare, err := schema.Apply(part, []finding.Edit{{Pointer: "/_meta"}}); err == nil {
		part = bare
	}
	return json.RawMessage(part)
}
