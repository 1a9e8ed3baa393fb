package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
	if depthOver(body, maxDepth) {
		return in, InvalidRequest("a message is nested at most %d levels deep", maxDepth)
	}
	top, bad := strictMembers(body)
	if bad != nil {
		return in, bad
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
	in.Fields, _ = strictMembers(in.Params)
	if name := confusable(in.Fields, "name", "uri", "arguments", "_meta", "cursor"); name != "" {
		return InvalidParams("the member %q looks like one of the protocol's but is not", name)
	}
	raw, ok := in.Fields["_meta"]
	if !ok {
		return nil
	}
	var bad *Error
	if in.Meta, bad = strictMembers(raw); bad != nil {
		return InvalidParams("_meta is an object")
	}
	if token, ok := in.Meta["progressToken"]; ok && !validID(token) {
		return InvalidParams("progressToken is a string or an integer")
	}
	return nil
}

// Text is a member of params that is a string; "" if there is none.
func (in *Inbound) Text(name string) string {
	var s string
	_ = json.Unmarshal(in.Fields[name], &s)
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

// strictMembers splits an object whose values are parts of its own bytes.
func strictMembers(object []byte) (map[string]json.RawMessage, *Error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(object))
	if kind := dec.PeekKind(); kind != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return nil, syntaxError(err)
		}
		return nil, InvalidRequest("a message is a JSON object")
	}
	_, _ = dec.ReadToken()
	members := make(map[string]json.RawMessage, 4)
	for dec.PeekKind() == '"' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return nil, syntaxError(err)
		}
		name := unquote(quoted)
		value, err := dec.ReadValue()
		if err != nil {
			return nil, syntaxError(err)
		}
		end := int(dec.InputOffset())
		members[name] = object[end-len(value) : end : end]
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, syntaxError(err)
	}
	if rest := object[dec.InputOffset():]; len(bytes.Trim(rest, " \t\r\n")) > 0 {
		return nil, &Error{Code: CodeParse, Message: "parse error: not one JSON value"}
	}
	return members, nil
}

func unquote(quoted jsontext.Value) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	name, _ := jsontext.AppendUnquote(nil, quoted)
	return string(name)
}

func syntaxError(err error) *Error {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return InvalidRequest("a name stands twice in an object")
	}
	return &Error{Code: CodeParse, Message: "parse error: not one JSON value in UTF-8"}
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

// depthOver tells whether a text opens more than limit brackets at once, without recursion.
func depthOver(text []byte, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
