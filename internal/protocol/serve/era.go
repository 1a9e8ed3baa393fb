package serve

import (
	"encoding/json"
	"slices"
)

// An Era is one of the two protocol modes: with a handshake and a session (legacy), or with all metadata in
// each request (modern).
type Era int

// The eras.
const (
	Legacy Era = iota // up to 2025-11-25
	Modern            // from 2026-07-28 on
)

// EraOf returns the era of a request. Opened means that the client has completed the handshake on this
// connection; without it only a request with its own metadata can be served.
func EraOf(m Message, opened bool) (Era, *Error) {
	return eraBy(m.Method, Members(Members(m.Params)["_meta"]), opened)
}

func eraBy(method string, meta map[string]json.RawMessage, opened bool) (Era, *Error) {
	version, odd := versionIn(meta)
	switch {
	case odd:
		return Modern, InvalidParams("_meta field %q must be a string", MetaVersion)
	case version == "" && (opened || method == "initialize" || method == "ping"):
		return Legacy, nil
	case version == "":
		return Modern, InvalidParams("_meta field %q is required unless the client has sent initialize", MetaVersion)
	case version == Rev2026July:
		return Modern, selfDescription(meta)
	case !slices.Contains(Revisions(), version):
		return Modern, unsupported(version, Revisions()...)
	case opened:
		return Legacy, nil
	}
	return Modern, unsupported(version, Rev2026July)
}

// selfDescription checks the metadata that every modern request requires.
func selfDescription(meta map[string]json.RawMessage) *Error {
	if !isObjectText(meta[MetaCapabilities]) {
		return InvalidParams("_meta field %q is required and must be an object", MetaCapabilities)
	}
	if level, ok := meta[MetaLogLevel]; ok && !validLevel(level) {
		return InvalidParams("_meta field %q must be one of the log levels", MetaLogLevel)
	}
	return nil
}

// validLevel reports whether raw is a log level.
func validLevel(raw json.RawMessage) bool {
	var level string
	return json.Unmarshal(raw, &level) == nil && slices.Contains(logLevels(), level)
}

// logLevels lists the log levels from least to most severe.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}
