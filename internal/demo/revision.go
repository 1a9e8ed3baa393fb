package demo

import (
	"encoding/json"
	"slices"
)

// The revisions of the protocol, as they are named on the wire.
const (
	rev2024November = "2024-11-05"
	rev2025March    = "2025-03-26"
	rev2025June     = "2025-06-18"
	rev2025November = "2025-11-25"
	rev2026July     = "2026-07-28"
)

// The keys of a request's _meta that the stateless era defines.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// revisions lists what the servers speak, newest first.
func revisions() []string {
	return []string{rev2026July, rev2025November, rev2025June, rev2025March, rev2024November}
}

// negotiate returns the revision that a server answers to an initialize which asks for the given one: the same if it
// is known, otherwise the newest that has a handshake.
func negotiate(asked string) string {
	if asked < rev2026July && slices.Contains(revisions(), asked) {
		return asked
	}
	return rev2025November
}

// modernMeta reports the revision that a request names in its _meta. It is empty when the request names none; odd is
// set when the value is there and is no string.
func modernMeta(params json.RawMessage) (version string, odd bool) {
	raw, ok := members(members(params)["_meta"])[metaVersion]
	if !ok {
		return "", false
	}
	if json.Unmarshal(raw, &version) != nil {
		return "", true
	}
	return version, false
}

// unsupported is the error for a revision that a request names and the server does not serve that way.
func unsupported(asked string, supported ...string) *rpcError {
	data, _ := json.Marshal(map[string]any{"supported": supported, "requested": asked})
	return &rpcError{Code: codeUnsupportedVersion, Message: "unsupported protocol version", Data: data}
}
