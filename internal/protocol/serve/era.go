package serve

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// EraOf returns the era of a request. Opened means that the client has completed the handshake on this
// connection; without it only a request with its own metadata can be served.
func EraOf(m Message, opened bool) (spec.Era, *Error) {
	return eraBy(m.Method, Members(Members(m.Params)["_meta"]), opened)
}

func eraBy(method string, meta map[string]json.RawMessage, opened bool) (spec.Era, *Error) {
	version, odd := versionIn(meta)
	switch {
	case odd:
		return spec.Modern, InvalidParams("_meta field %q must be a string", MetaVersion)
	case version == "" && (opened || method == "initialize" || method == "ping"):
		return spec.Legacy, nil
	case version == "":
		return spec.Modern, InvalidParams("_meta field %q is required unless the client has sent initialize",
			MetaVersion)
	case isModern(version):
		return spec.Modern, selfDescription(meta)
	case !slices.Contains(Revisions(), version):
		return spec.Modern, unsupported(version, Revisions()...)
	case opened:
		return spec.Legacy, nil
	}
	return spec.Modern, unsupported(version, spec.NewestModern)
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
