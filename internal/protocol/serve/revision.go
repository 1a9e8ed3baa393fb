package serve

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// The keys of _meta that the protocol defines.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	MetaLogLevel     = "io.modelcontextprotocol/logLevel"
	MetaServerInfo   = "io.modelcontextprotocol/serverInfo"
	MetaClientInfo   = "io.modelcontextprotocol/clientInfo"
	MetaSubscription = "io.modelcontextprotocol/subscriptionId" // in messages of a subscription stream
	RelatedTask      = "io.modelcontextprotocol/related-task"
)

// Revisions lists the supported revisions, newest first.
func Revisions() []string {
	ids := spec.IDs()
	slices.Reverse(ids)
	return ids
}

// isModern reports whether a revision is a supported one without a handshake.
func isModern(version string) bool {
	r, ok := spec.Find(version)
	return ok && r.Era == spec.Modern
}

// Negotiate returns the revision for the response to an initialize that requests the given one: the same if it
// is supported, otherwise the newest with a handshake.
func Negotiate(asked string) string {
	if spec.EraOf(asked) == spec.Legacy && slices.Contains(Revisions(), asked) {
		return asked
	}
	return spec.NewestLegacy
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
