package mcpserver

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A property is a field of an object schema.
type property struct {
	name, schema string
	required     bool
}

func need(name, schema string) property { return property{name, schema, true} }
func may(name, schema string) property  { return property{name, schema, false} }

// closed is an object with exactly these fields: the input of a tool. If all of them are optional, required is
// an empty list.
func closed(doc string, members ...property) string {
	rest := `,"additionalProperties":false`
	if len(members) > 0 && !slices.ContainsFunc(members, func(p property) bool { return p.required }) {
		rest = `,"required":[]` + rest
	}
	return object(doc, members, rest)
}

// record is an object with at least these fields: the output of a tool.
func record(doc string, members ...property) string { return object(doc, members, "") }

func object(doc string, members []property, rest string) string {
	var properties, required []string
	for _, m := range members {
		properties = append(properties, quote(m.name)+":"+m.schema)
		if m.required {
			required = append(required, quote(m.name))
		}
	}
	out := `{"type":"object"` + described(doc) + `,"properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		out += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return out + rest + `}`
}

// anything is an object whose fields are defined by the server under test.
func anything(doc string) string {
	return `{"type":"object"` + described(doc) + `,"additionalProperties":true}`
}

func text(doc string, longest int) string {
	return `{"type":"string"` + described(doc) + `,"maxLength":` + strconv.Itoa(longest) + `}`
}

// line is a string in an output.
func line(doc string) string { return `{"type":"string"` + described(doc) + `}` }

func choice(doc string, values ...string) string {
	return `{"type":"string"` + described(doc) + `,"enum":` + string(serve.Encode(values)) + `}`
}

func whole(doc string, least, most int) string {
	return `{"type":"integer"` + described(doc) + `,"minimum":` + strconv.Itoa(least) + `,"maximum":` +
		strconv.Itoa(most) + `}`
}

func flag(doc string) string { return `{"type":"boolean"` + described(doc) + `}` }

func list(doc string, most int, item string) string {
	return `{"type":"array"` + described(doc) + `,"maxItems":` + strconv.Itoa(most) + `,"items":` + item + `}`
}

func described(doc string) string {
	if doc == "" {
		return ""
	}
	return `,"description":` + quote(doc)
}

func quote(s string) string { return string(serve.Encode(s)) }

// maxName is the maximum length of the name of a connection, a tool or a prompt; maxText that of a URL or text.
const (
	maxName = 256
	maxText = 8192
	maxJSON = 1 << 20
)

// Inputs shared by several tools.
func onConnection() property {
	return may("connection", text("Default: current.", maxName))
}

func withVerbosity() property {
	return may("verbosity", choice("full adds raw data.", string(brief), string(normal), string(full)))
}

func withTimeout() property {
	return may("timeout_ms", whole("Timeout.", 1, 600_000))
}
