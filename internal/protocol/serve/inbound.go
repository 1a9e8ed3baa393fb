package serve

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxDepth is how deep a message of a client may be nested; the deepest one seen in the field has 12 levels.
const maxDepth = 64

// An Inbound is a message of a client's, read so strictly that no other reader can take it for something else: names
// that stand twice, names that differ only in case, and text that is not UTF-8 are refused.
type Inbound struct {
	Message
	Fields map[string]json.RawMessage // the members of params
	Meta   map[string]json.RawMessage // the members of params._meta
	Result json.RawMessage            // of a response; nil if it failed
	Failed json.RawMessage            // of a response: its error
}

// ReadInbound reads one message. When it is not one, what is returned still has the id if it could be read, so that the
// reply reaches the right caller.
func ReadInbound(body []byte) (*Inbound, *Error) {
	in := &Inbound{}
	if _, deeper := rawjson.DeeperThan(body, maxDepth); deeper {
		return in, InvalidRequest("a message is nested at most %d levels deep", maxDepth)
	}
	if bad := strictly(body); bad != nil {
		return in, bad
	}
	top := split(body)
	if top == nil {
		return in, InvalidRequest("a message is a JSON object")
	}
	if id, ok := top["id"]; ok {
		if !validID(id) {
			return in, InvalidRequest("id is a string or an integer")
		}
		in.ID = id
	}
	if string(top["jsonrpc"]) != `"2.0"` {
		return in, InvalidRequest(`jsonrpc is "2.0"`)
	}
	in.Params, in.Result, in.Failed = top["params"], top["result"], top["error"]
	if bad := in.classify(top); bad != nil {
		return in, bad
	}
	return in, in.open(top)
}

// open reads the members of params and of its _meta.
func (in *Inbound) open(top map[string]json.RawMessage) *Error {
	if name := confusable(top, "jsonrpc", "id", "method", "params", "result", "error"); name != "" {
		return InvalidRequest("the member %q looks like one of the protocol's but is not", name)
	}
	if in.Params == nil {
		return nil
	}
	in.Fields = split(in.Params)
	if name := confusable(in.Fields, "name", "uri", "arguments", "_meta", "cursor"); name != "" {
		return InvalidParams("the member %q looks like one of the protocol's but is not", name)
	}
	if string(in.Fields["arguments"]) == "null" {
		delete(in.Fields, "arguments") // some SDKs write null for a member that is not there
	}
	raw, ok := in.Fields["_meta"]
	if !ok {
		return nil
	}
	if in.Meta = split(raw); in.Meta == nil {
		return InvalidParams("_meta is an object")
	}
	if token, ok := in.Meta["progressToken"]; ok && !validID(token) {
		return InvalidParams("progressToken is a string or an integer")
	}
	return nil
}

// Text is a member of params that is a string; "" if there is none.
func (in *Inbound) Text(name string) string {
	s, _ := schema.Text(in.Fields[name])
	return s
}

// checkShape refuses parameters that the method cannot have.
func (in *Inbound) checkShape() *Error {
	for _, f := range fields(in.Method) {
		value, ok := in.Fields[f.name]
		if (!ok && f.required) || (ok && !f.accepts(value)) {
			return InvalidParams("%s is %s", f.name, f.want)
		}
	}
	return nil
}

// strictly refuses what is not one JSON text in UTF-8 without names that stand twice.
func strictly(text []byte) *Error {
	switch value := jsontext.Value(text); {
	case value.IsValid():
		return nil
	case value.IsValid(jsontext.AllowDuplicateNames(true)):
		return InvalidRequest("a name stands twice in an object")
	}
	return &Error{Code: CodeParse, Message: "parse error: not one JSON value in UTF-8"}
}

// split lists the members of an object that is known to be JSON, as parts of its own bytes; nil if it is no object.
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

// confusable finds a member that another reader may take for one of the names.
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
