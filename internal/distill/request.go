package distill

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// A request is how the suite writes a recorded request.
type request struct {
	section string // of a test with this request alone
	key     string // tool, uri, prompt or method
	inSteps string // the key in a step of a sequence
	subject string // its value
	argsKey string // args or params
	args    json.RawMessage
	more    []field // of a completion
}

// A field is a key with its value.
type field struct {
	key   string
	value json.RawMessage
}

// requestOf returns how the suite writes a request: in the section of its method, or as raw if that cannot express it.
func requestOf(x *recording.Exchange) *request {
	params, _ := schema.Members(x.Params)
	only := func(names ...string) bool {
		for _, m := range params {
			if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+m.Name+" ") {
				return false
			}
		}
		return true
	}
	name, uri := schema.TextAt(x.Params, "/name"), schema.TextAt(x.Params, "/uri")
	args, _ := schema.Get(x.Params, "/arguments")
	isObject := args == nil || schema.Kind(args) == '{'
	switch {
	case x.Method == "tools/call" && name != "" && isObject && only("name", "arguments"):
		return &request{"tools", "tool", "tool", name, "args", args, nil}
	case x.Method == "prompts/get" && name != "" && isObject && only("name", "arguments"):
		return &request{"prompts", "prompt", "prompt", name, "args", args, nil}
	case x.Method == "resources/read" && uri != "" && only("uri"):
		return &request{"resources", "uri", "resource", uri, "", nil, nil}
	case x.Method == "completion/complete" && only("ref", "argument"):
		if c := completionOf(x.Params); c != nil {
			return c
		}
	}
	return rawOf(x)
}

// rawOf returns a request of any method.
func rawOf(x *recording.Exchange) *request {
	return &request{"raw", "method", "method", x.Method, "params", x.Params, nil}
}

// inStep returns the request as a step of a sequence can have it.
func (r *request) inStep(x *recording.Exchange) *request {
	if r.section == "completions" {
		return rawOf(x)
	}
	return r
}

// completionOf returns the request of a completion; nil if the section completions cannot express it. Its values
// cannot have references.
func completionOf(params json.RawMessage) *request {
	if strings.Contains(string(params), "${") || isRedacted(string(params)) {
		return nil
	}
	key, subject := "prompt", schema.TextAt(params, "/ref/name")
	if subject == "" {
		key, subject = "template", schema.TextAt(params, "/ref/uri")
	}
	argument, _ := schema.Get(params, "/argument/name")
	value, _ := schema.Get(params, "/argument/value")
	if subject == "" || schema.Kind(argument) != '"' || schema.Kind(value) != '"' {
		return nil
	}
	return &request{"completions", key, "", subject, "", nil, []field{{"argument", argument}, {"value", value}}}
}

// write writes the fields of the request.
func (r *request) write(w *writer, line func(key, value string), inSequence bool) {
	key := r.key
	if inSequence {
		key = r.inSteps
	}
	line(key, w.text("", r.subject))
	if len(r.args) > 0 {
		line(r.argsKey, w.value("", r.args))
	}
	for _, f := range r.more {
		line(f.key, w.value("", f.value))
	}
}

// name returns the name of a test: what is requested, and how it fails.
func (r *request) name(x *recording.Exchange) string {
	name := r.subject
	if text := recording.Canonical(r.args); len(r.args) > 0 && text != "{}" {
		name += " " + text
	}
	name = clip.Text(name, maxName)
	switch {
	case x.Error != nil:
		name += ": error"
	case calls.IsError(x.Result):
		name += ": isError"
	}
	return name
}
