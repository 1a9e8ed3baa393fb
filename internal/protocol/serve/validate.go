package serve

import (
	"bytes"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// validateRequest rejects a request that the SDK would accept or answer with an error code that the protocol does not
// define. What it accepts has a method of the era and parameters of the right shape.
func validateRequest(m Message, e spec.Era) *Error {
	if !callable(e, m.Method) {
		return MethodNotFound(m.Method)
	}
	if !safeID(m.ID) {
		return InvalidRequest("an integer id must be between -2^53 and 2^53")
	}
	p := Members(m.Params)
	for _, f := range append(fields(m.Method), field{"_meta",
		"invalid: it must be an object whose progressToken is a string or an integer", false, isMeta}) {
		value, ok := p[f.name]
		if (!ok && f.required) || (ok && !f.accepts(value)) {
			return InvalidParams("%s is %s", f.name, f.want)
		}
	}
	return nil
}

// callable reports whether an era has a method that a client may call.
func callable(e spec.Era, method string) bool {
	switch method {
	case "completion/complete", "prompts/get", "prompts/list", "resources/list", "resources/read",
		"resources/templates/list", "tools/call", "tools/list":
		return true
	case "server/discover", "subscriptions/listen":
		return e == spec.Modern
	case "initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe":
		return e == spec.Legacy
	}
	return false
}

// legacyOnly reports whether a method was removed in 2026-07-28.
func legacyOnly(method string) bool {
	return callable(spec.Legacy, method) && !callable(spec.Modern, method)
}

// safeID reports whether the SDK, which decodes numbers as floating point, returns an ID unchanged.
func safeID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	const limit = 1 << 53
	var n int64
	return json.Unmarshal(id, &n) == nil && n >= -limit && n <= limit
}

// A field is a field of params that a method requires in a certain shape.
type field struct {
	name     string
	want     string
	required bool
	accepts  func(json.RawMessage) bool
}

func fields(method string) []field {
	text := func(name string) field { return field{name, "required and must be a string", true, IsString} }
	object := func(name string) field { return field{name, "required and must be an object", true, isObject} }
	switch method {
	case "initialize":
		return []field{text("protocolVersion"), object("capabilities"), {"clientInfo",
			"required and must have the strings name and version", true, isImplementation}}
	case "tools/call":
		return []field{text("name"), {"arguments", "invalid: it must be an object", false, isObject}}
	case "prompts/get":
		return []field{text("name"), {"arguments", "invalid: it must be an object of strings", false, isStrings}}
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return []field{text("uri")}
	case "logging/setLevel":
		return []field{{"level", "required and must be one of the log levels", true, validLevel}}
	case "completion/complete":
		return []field{{"ref", "required and must refer to a prompt or a resource", true, isReference},
			{"argument", "required and must have the strings name and value", true, isArgument}}
	case "subscriptions/listen":
		return []field{object("notifications")}
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return []field{{"cursor", "invalid: it must be a string", false, IsString}}
	}
	return nil
}

// IsString reports whether raw is a JSON string.
func IsString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

func isObject(raw json.RawMessage) bool { return isObjectText(raw) }

// isObjectText reports whether a JSON text is an object.
func isObjectText(raw json.RawMessage) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{'
}

func isStrings(raw json.RawMessage) bool {
	for _, v := range Members(raw) {
		if !IsString(v) {
			return false
		}
	}
	return isObject(raw)
}

func isImplementation(raw json.RawMessage) bool {
	p := Members(raw)
	return IsString(p["name"]) && IsString(p["version"])
}

func isReference(raw json.RawMessage) bool {
	p := Members(raw)
	switch string(p["type"]) {
	case `"ref/prompt"`:
		return IsString(p["name"]) && p["uri"] == nil
	case `"ref/resource"`:
		return IsString(p["uri"]) && p["name"] == nil
	}
	return false
}

// isMeta checks the values that the SDK would decode as floating point and return changed.
func isMeta(raw json.RawMessage) bool {
	token, ok := Members(raw)["progressToken"]
	return isObject(raw) && (!ok || validID(token) && safeID(token))
}

func isArgument(raw json.RawMessage) bool {
	p := Members(raw)
	return IsString(p["name"]) && IsString(p["value"])
}
