package mcp

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// An Era is one of the two ways in which client and server exchange their capabilities.
type Era string

// The eras.
const (
	Legacy Era = "legacy" // a handshake, then a session
	Modern Era = "modern" // every request carries its own metadata
)

// Auto requests the newest revision that the server supports.
const Auto = "auto"

// The newest revision of each era.
const (
	NewestLegacy = "2025-11-25"
	NewestModern = "2026-07-28"
)

// EraOf returns the era of a revision. Revisions are dates, so an unknown one also has an era.
func EraOf(revision string) Era {
	if revision >= NewestModern {
		return Modern
	}
	return Legacy
}

// newestModern returns the newest modern revision that both sides support.
func newestModern(supported []string) (string, bool) {
	for _, r := range slices.Backward(spec.IDs()) {
		if EraOf(r) == Modern && slices.Contains(supported, r) {
			return r, true
		}
	}
	return "", false
}
