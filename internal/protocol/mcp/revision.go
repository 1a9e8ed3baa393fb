package mcp

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Auto requests the newest revision that the server supports.
const Auto = "auto"

// newestModern returns the newest modern revision that both sides support.
func newestModern(supported []string) (string, bool) {
	for _, r := range slices.Backward(spec.IDs()) {
		if spec.EraOf(r) == spec.Modern && slices.Contains(supported, r) {
			return r, true
		}
	}
	return "", false
}
