package suite

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// Schema is the JSON Schema of suite files, for editors.
func Schema() json.RawMessage {
	return document.Schema("https://mcptest.dev/schema/suite.json", "Test suite for MCP servers", File{})
}
