package serve

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The revisions of the protocol, by their IDs.
const (
	Rev2024November = "2024-11-05"
	Rev2025March    = "2025-03-26"
	Rev2025June     = "2025-06-18"
	Rev2025November = "2025-11-25"
	Rev2026July     = "2026-07-28"
)

// The keys of a request's _meta in the modern era.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel     = "io.modelcontextprotocol/logLevel"
	MetaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// Revisions lists the supported revisions, newest first.
func Revisions() []string {
	return []string{Rev2026July, Rev2025November, Rev2025June, Rev2025March, Rev2024November}
}

// Negotiate returns the revision for the response to an initialize that requests the given one: the same if it
// is supported, otherwise the newest with a handshake.
func Negotiate(asked string) string {
	if asked < Rev2026July && slices.Contains(Revisions(), asked) {
		return asked
	}
	return Rev2025November
}

// modernMeta returns the revision in the _meta of a request. It is empty if there is none; odd is set if the
// value is not a string.
func modernMeta(params json.RawMessage) (version string, odd bool) {
	return versionIn(Members(Members(params)["_meta"]))
}

func versionIn(meta map[string]json.RawMessage) (version string, odd bool) {
	raw, ok := meta[MetaVersion]
	if !ok || schema.Kind(raw) == 'n' {
		return "", false
	}
	version, ok = schema.Text(raw)
	return version, !ok
}

// unsupported is the error for a revision that the server does not support in this way.
func unsupported(asked string, supported ...string) *Error {
	data, _ := json.Marshal(map[string]any{"supported": supported, "requested": asked})
	return &Error{Code: CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}
