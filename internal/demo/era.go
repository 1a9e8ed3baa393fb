package demo

import (
	"encoding/json"
	"slices"
)

// An era is one of the two ways to talk: with a handshake and a session, or with everything in each request.
type era int

const (
	legacy era = iota // up to 2025-11-25
	modern            // from 2026-07-28
)

// eraOf decides by what rules a request is to be answered. Opened says that the client has done the handshake on this
// connection; without it only a request that describes itself can be served.
func eraOf(m message, opened bool) (era, *rpcError) {
	version, odd := modernMeta(m.params)
	switch {
	case odd:
		return modern, invalidParams("_meta field %q is a string", metaVersion)
	case version == "" && (opened || m.method == "initialize" || m.method == "ping"):
		return legacy, nil
	case version == "":
		return modern, invalidParams("_meta field %q is required unless the client has sent initialize", metaVersion)
	case version == rev2026July:
		return modern, selfDescription(m.params)
	case !slices.Contains(revisions(), version):
		return modern, unsupported(version, revisions()...)
	case opened:
		return legacy, nil
	}
	return modern, unsupported(version, rev2026July)
}

// selfDescription checks what each request of the modern era has to say about its sender.
func selfDescription(params json.RawMessage) *rpcError {
	meta := members(members(params)["_meta"])
	if members(meta[metaCapabilities]) == nil {
		return invalidParams("_meta field %q is required and is an object", metaCapabilities)
	}
	if level, ok := meta[metaLogLevel]; ok && !validLevel(level) {
		return invalidParams("_meta field %q is one of the log levels", metaLogLevel)
	}
	return nil
}

// validLevel tells whether raw is a log level.
func validLevel(raw json.RawMessage) bool {
	var level string
	return json.Unmarshal(raw, &level) == nil && slices.Contains(logLevels(), level)
}

// logLevels lists the log levels from the least to the most severe.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}
