package lint

import (
	"bytes"
	"encoding/json"
)

// splitLines takes one tool a line, as a server might send what a file reader refuses.
func splitLines(data []byte) []json.RawMessage {
	var tools []json.RawMessage
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			tools = append(tools, line)
		}
	}
	return tools
}
