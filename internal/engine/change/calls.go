package change

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Call is a request that somebody made or will make.
type Call struct {
	Source    string          `json:"source"`              // the transcript or test
	Method    string          `json:"method"`              // tools/call, prompts/get or resources/read
	Name      string          `json:"name"`                // the tool, prompt or URI
	Arguments json.RawMessage `json:"arguments,omitempty"` // nil if there are none
}

// A FailingCall worked before and is rejected now.
type FailingCall struct {
	Call
	Rejection string `json:"rejection"`
}

// Calls lists the calls that were valid before and are rejected now. Calls that were invalid before are not listed: a
// test may send one on purpose.
func Calls(before, after *Surface, calls []Call) []FailingCall {
	found := []FailingCall{}
	index := func(s *Surface) map[string]map[string]json.RawMessage {
		tools, _ := definitions(s.Tools, "name")
		prompts, _ := definitions(s.Prompts, "name")
		resources, _ := definitions(s.Resources, "uri")
		return map[string]map[string]json.RawMessage{"tools/call": tools, "prompts/get": prompts,
			"resources/read": resources}
	}
	old, now := index(before), index(after)
	parts := map[string]string{"prompts/get": "prompts", "resources/read": "resources"}
	for _, call := range calls {
		was, had := old[call.Method][call.Name]
		is, has := now[call.Method][call.Name]
		part := parts[call.Method]
		switch {
		case !had || part != "" && !after.knows(part):
		case !has:
			found = append(found, FailingCall{call, "no longer offered"})
		case call.Method == "tools/call":
			if wrong := rejects(was, call.Arguments); wrong != "" {
				continue
			}
			if wrong := rejects(is, call.Arguments); wrong != "" {
				found = append(found, FailingCall{call, wrong})
			}
		case call.Method == "prompts/get":
			if name := missingArgument(object(is), object(call.Arguments)); name != "" &&
				missingArgument(object(was), object(call.Arguments)) == "" {
				found = append(found, FailingCall{call, "missing argument " + name})
			}
		}
	}
	return found
}

// rejects is what the input schema of a tool reports about arguments; empty if it accepts them, or cannot be used.
func rejects(tool, arguments json.RawMessage) string {
	if arguments == nil {
		arguments = json.RawMessage("{}")
	}
	input, err := schema.Compile(encode(repaired(asObject(object(tool)["inputSchema"]))), nil)
	if err != nil {
		return ""
	}
	for _, v := range input.Validate(arguments) {
		if v.Rule != schema.RuleLimit {
			return v.Message
		}
	}
	return ""
}

// missingArgument is a required argument of a prompt that is not given.
func missingArgument(prompt, given map[string]any) string {
	arguments, order := argumentsOf(prompt)
	for _, name := range order {
		if _, ok := given[name]; arguments[name].required && !ok {
			return name
		}
	}
	return ""
}
