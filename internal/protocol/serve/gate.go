package serve

import (
	"bytes"
	"encoding/json"
)

// gate refuses a request that the SDK would let through or answer with a code that the protocol does not have. What
// it lets pass has a method of the era and parameters of the right shape.
func gate(m Message, e Era) *Error {
	if !callable(e, m.Method) {
		return MethodNotFound(m.Method)
	}
	if !safeID(m.ID) {
		return InvalidRequest("an integer id lies between -2^53 and 2^53")
	}
	p := Members(m.Params)
	for _, f := range append(fields(m.Method), field{"_meta", "an object whose progressToken is a string or an integer", false, isMeta}) {
		value, ok := p[f.name]
		if (!ok && f.required) || (ok && !f.accepts(value)) {
			return InvalidParams("%s is %s", f.name, f.want)
		}
	}
	return nil
}

// callable tells whether an era has a method that a client may call.
func callable(e Era, method string) bool {
	switch method {
	case "completion/complete", "prompts/get", "prompts/list", "resources/list", "resources/read", "resources/templates/list", "tools/call", "tools/list":
		return true
	case "server/discover", "subscriptions/listen":
		return e == Modern
	case "initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe":
		return e == Legacy
	}
	return false
}

// legacyOnly tells the methods that the newer era no longer has.
func legacyOnly(method string) bool { return callable(Legacy, method) && !callable(Modern, method) }

// safeID tells whether the SDK, which reads numbers as floating point, gives an id back as it came.
func safeID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	const limit = 1 << 53
	var n int64
	return json.Unmarshal(id, &n) == nil && n >= -limit && n <= limit
}

// A field is a member of params that a method needs in a certain shape.
type field struct {
	name     string
	want     string
	required bool
	accepts  func(json.RawMessage) bool
}

func fields(method string) []field {
	text := func(name string) field { return field{name, "required and is a string", true, IsString} }
	object := func(name string) field { return field{name, "required and is an object", true, isObject} }
	switch method {
	case "initialize":
		return []field{text("protocolVersion"), object("capabilities"), {"clientInfo",
			"required and has the strings name and version", true, isImplementation}}
	case "tools/call":
		return []field{text("name"), {"arguments", "an object", false, isObject}}
	case "prompts/get":
		return []field{text("name"), {"arguments", "an object of strings", false, isStrings}}
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return []field{text("uri")}
	case "logging/setLevel":
		return []field{{"level", "required and is one of the log levels", true, validLevel}}
	case "completion/complete":
		return []field{{"ref", "required and names a prompt or a resource", true, isReference}, {"argument", "required and has the strings name and value", true, isArgument}}
	case "subscriptions/listen":
		return []field{object("notifications")}
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return []field{{"cursor", "a string", false, IsString}}
	}
	return nil
}

// IsString tells whether raw is a JSON string.
func IsString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

func isObject(raw json.RawMessage) bool { return isObjectText(raw) }

// isObjectText tells whether a JSON text is an object.
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

// isMeta looks at what the SDK would read as floating point and give back changed.
func isMeta(raw json.RawMessage) bool {
	token, ok := Members(raw)["progressToken"]
	return isObject(raw) && (!ok || validID(token) && safeID(token))
}

func isArgument(raw json.RawMessage) bool {
	p := Members(raw)
	return IsString(p["name"]) && IsString(p["value"])
}
