package mcp

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// An Era is one of the two ways in which client and server speak of themselves.
type Era string

// The eras.
const (
	Legacy Era = "legacy" // a handshake, then a session
	Modern Era = "modern" // every request carries its own metadata
)

// Auto asks for the newest revision that the server speaks.
const Auto = "auto"

// The newest revision of each era.
const (
	NewestLegacy = "2025-11-25"
	NewestModern = "2026-07-28"
)

// EraOf tells the era of a revision. Revisions are dates, so that an unknown one has its era too.
func EraOf(revision string) Era {
	if revision >= NewestModern {
		return Modern
	}
	return Legacy
}

// newestModern picks the newest revision of the modern era that both sides speak.
func newestModern(supported []string) (string, bool) {
	for _, r := range slices.Backward(spec.IDs()) {
		if EraOf(r) == Modern && slices.Contains(supported, r) {
			return r, true
		}
	}
	return "", false
}
