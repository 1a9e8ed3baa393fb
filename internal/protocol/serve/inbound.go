package serve

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxDepth is the maximum nesting of a message; the deepest one seen in practice has 12 levels.
const maxDepth = 64

// An Inbound is a message of a client, parsed so strictly that no other parser can read it differently:
// duplicate names, names that differ only in case, and invalid UTF-8 are rejected.
type Inbound struct {
	Message
	Fields map[string]json.RawMessage // the members of params
	Meta   map[string]json.RawMessage // the members of params._meta
	Result json.RawMessage            // of a response; nil if it failed
	Failed json.RawMessage            // of a response: its error
}

// ReadInbound parses one message. If it is invalid, the returned value still has the ID if it could be parsed,
// so that the response reaches the right caller.
func ReadInbound(body []byte) (*Inbound, *Error) {
	in := &Inbound{}
	if _, deeper := rawjson.DeeperThan(body, maxDepth); deeper {
		return in, InvalidRequest("messages are limited to %d nesting levels", maxDepth)
	}
	if bad := strictly(body); bad != nil {
		return in, bad
	}
	top := split(body)
	if top == nil {
		return in, InvalidRequest("a message must be a JSON object")
	}
	if id, ok := top["id"]; ok {
		if !validID(id) {
			return in, InvalidRequest("id must be a string or an integer")
		}
		in.ID = id
	}
	if string(top["jsonrpc"]) != `"2.0"` {
		return in, InvalidRequest(`jsonrpc must be "2.0"`)
	}
	in.Params, in.Result, in.Failed = top["params"], top["result"], top["error"]
	if bad := in.classify(top); bad != nil {
		return in, bad
	}
	return in, in.open(top)
}

// open parses params and its _meta.
func (in *Inbound) open(top map[string]json.RawMessage) *Error {
	if name := confusable(top, "jsonrpc", "id", "method", "params", "result", "error"); name != "" {
		return InvalidRequest("field %q resembles a protocol field", name)
	}
	if in.Params == nil {
		return nil
	}
	in.Fields = split(in.Params)
	if name := confusable(in.Fields, "name", "uri", "arguments", "_meta", "cursor"); name != "" {
		return InvalidParams("field %q resembles a protocol field", name)
	}
	if string(in.Fields["arguments"]) == "null" {
		delete(in.Fields, "arguments") // some SDKs write null for a member that is not there
	}
	raw, ok := in.Fields["_meta"]
	if !ok {
		return nil
	}
	if in.Meta = split(raw); in.Meta == nil {
		return InvalidParams("_meta must be an object")
	}
	if token, ok := in.Meta["progressToken"]; ok && !validID(token) {
		return InvalidParams("progressToken must be a string or an integer")
	}
	return nil
}

// Text returns a field of params that is a string; "" if there is none.
func (in *Inbound) Text(name string) string {
	s, _ := schema.Text(in.Fields[name])
	return s
}

// checkShape rejects parameters that the method does not allow.
func (in *Inbound) checkShape() *Error {
	for _, f := range fields(in.Method) {
		value, ok := in.Fields[f.name]
		if (!ok && f.required) || (ok && !f.accepts(value)) {
			return InvalidParams("%s is %s", f.name, f.want)
		}
	}
	return nil
}

// strictly rejects what is not a single JSON value in UTF-8 without duplicate names.
func strictly(text []byte) *Error {
	switch value := jsontext.Value(text); {
	case value.IsValid():
		return nil
	case value.IsValid(jsontext.AllowDuplicateNames(true)):
		return InvalidRequest("duplicate name in an object")
	}
	return &Error{Code: CodeParse, Message: "parse error: not a single JSON value in UTF-8"}
}

// split returns the fields of a valid JSON object, as slices of its bytes; nil if it is not an object.
func split(object json.RawMessage) map[string]json.RawMessage {
	list, err := schema.Members(object)
	if err != nil {
		return nil
	}
	members := make(map[string]json.RawMessage, len(list))
	for _, m := range list {
		members[m.Name] = m.Value
	}
	return members
}

// confusable finds a field that another parser may confuse with one of the names.
func confusable(members map[string]json.RawMessage, names ...string) string {
	for member := range members {
		for _, name := range names {
			if member != name && strings.EqualFold(member, name) {
				return member
			}
		}
	}
	return ""
}
