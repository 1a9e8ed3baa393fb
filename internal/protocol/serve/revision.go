package serve

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The revisions of the protocol, as they are named on the wire.
const (
	Rev2024November = "2024-11-05"
	Rev2025March    = "2025-03-26"
	Rev2025June     = "2025-06-18"
	Rev2025November = "2025-11-25"
	Rev2026July     = "2026-07-28"
)

// The keys of a request's _meta that the stateless era defines.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel     = "io.modelcontextprotocol/logLevel"
	MetaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// Revisions lists what the servers speak, newest first.
func Revisions() []string {
	return []string{Rev2026July, Rev2025November, Rev2025June, Rev2025March, Rev2024November}
}

// Negotiate returns the revision that a server answers to an initialize which asks for the given one: the same if it
// is known, otherwise the newest that has a handshake.
func Negotiate(asked string) string {
	if asked < Rev2026July && slices.Contains(Revisions(), asked) {
		return asked
	}
	return Rev2025November
}

// modernMeta reports the revision that a request names in its _meta. It is empty when the request names none; odd is
// set when the value is there and is no string.
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

// unsupported is the error for a revision that a request names and the server does not serve that way.
func unsupported(asked string, supported ...string) *Error {
	data, _ := json.Marshal(map[string]any{"supported": supported, "requested": asked})
	return &Error{Code: CodeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}
