package mcp

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// LateOutput reports whether a server wrote a line to stdout that is not a message after its first message. Hosts that
// close the connection then may skip such lines before it.
func LateOutput(frames []wire.Frame) bool {
	begun := map[int]bool{} // connections with a message
	for _, f := range frames {
		if f.From != wire.Server || wire.IsStderr(f) || !strings.HasPrefix(f.Stream, string(wire.Stdio)) {
			continue
		}
		if m := Read(f); m.Method != "" || m.IsResponse() {
			begun[f.Conn] = true
		} else if begun[f.Conn] {
			return true
		}
	}
	return false
}
