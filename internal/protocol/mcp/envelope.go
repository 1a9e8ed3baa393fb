package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// The keys of the per-request metadata of the modern era.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// encodeRequest encodes a request with params, whose bytes are unchanged.
func encodeRequest(id int64, method string, params json.RawMessage) []byte {
	b := make([]byte, 0, 64+len(method)+len(params))
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, id, 10)
	return encodeRest(b, method, params)
}

// encodeNotification encodes a notification with params.
func encodeNotification(method string, params json.RawMessage) []byte {
	b := make([]byte, 0, 64+len(method)+len(params))
	return encodeRest(append(b, `{"jsonrpc":"2.0"`...), method, params)
}

func encodeRest(b []byte, method string, params json.RawMessage) []byte {
	b = append(b, `,"method":`...)
	b = rawjson.AppendQuote(b, method)
	if len(params) > 0 {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// oneLine replaces line breaks by spaces, for transports with one message per line. In JSON they are only
// allowed where a space is.
func oneLine(raw json.RawMessage) json.RawMessage {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	raw = bytes.Clone(raw)
	for i, b := range raw {
		if b == '\n' || b == '\r' {
			raw[i] = ' '
		}
	}
	return raw
}

// encodeResponse encodes the response to a request of the server; the ID is unchanged.
func encodeResponse(id, result json.RawMessage, refusal *RPCError) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if refusal != nil {
		text, err := json.Marshal(refusal)
		if err != nil {
			text = fmt.Appendf(nil, `{"code":%d,"message":%s}`, refusal.Code, rawjson.Quote(refusal.Message))
		}
		return append(append(append(b, `,"error":`...), text...), '}')
	}
	return append(append(append(b, `,"result":`...), result...), '}')
}

// Object builds a JSON object from alternating keys and raw values; a nil value omits its key.
func Object(pairs ...any) json.RawMessage {
	b := []byte{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		value := rawValue(pairs[i+1])
		if value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(rawjson.AppendQuote(b, pairs[i].(string)), ':')
		b = append(b, value...)
	}
	return append(b, '}')
}

func rawValue(v any) []byte {
	switch v := v.(type) {
	case json.RawMessage:
		return v
	case string:
		return rawjson.Quote(v)
	case nil:
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// withMember returns object with an additional field at its end. An existing field takes precedence; all other
// bytes are unchanged. Anything but an object is returned unchanged.
func withMember(object json.RawMessage, key string, value json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(object)) == 0 {
		return Object(key, value)
	}
	open := bytes.IndexByte(object, '{')
	last := bytes.LastIndexByte(object, '}')
	if open < 0 || last < open || len(bytes.TrimSpace(object[:open])) > 0 {
		return object
	}
	if mayHave(object, key) {
		if _, found := member(object, key); found {
			return object
		}
	}
	b := make([]byte, 0, len(object)+len(key)+len(value)+4)
	b = append(b, object[:last]...)
	if len(bytes.TrimSpace(object[open+1:last])) > 0 {
		b = append(b, ',')
	}
	b = append(rawjson.AppendQuote(b, key), ':')
	b = append(b, value...)
	return append(b, object[last:]...)
}

// mayHave is a quick check for a field; if it returns true, a full check is needed. A key may contain escapes.
func mayHave(object json.RawMessage, key string) bool {
	return bytes.Contains(object, []byte(key)) || bytes.IndexByte(object, '\\') >= 0
}

// withMeta adds the fields of more to the _meta of params; those that the caller has set take precedence.
func withMeta(params, more json.RawMessage) json.RawMessage {
	return splitMembers(more).addToMeta(params)
}

// members are the fields of an object, which is split once and added to many others.
type members struct {
	whole  json.RawMessage
	keys   []string
	values []json.RawMessage
}

func splitMembers(object json.RawMessage) members {
	keys, values, _ := membersOf(object)
	return members{object, keys, values}
}

func (m members) addToMeta(params json.RawMessage) json.RawMessage {
	var meta json.RawMessage
	found := false
	if mayHave(params, "_meta") {
		meta, found = member(params, "_meta")
	}
	if !found {
		return withMember(params, "_meta", m.whole)
	}
	merged := m.addTo(meta)
	at := cap(params) - cap(meta) // member returns a slice of params
	b := append(make([]byte, 0, len(params)-len(meta)+len(merged)), params[:at]...)
	b = append(b, merged...)
	return append(b, params[at+len(meta):]...)
}

// addTo returns object with the fields that it does not have at its end.
func (m members) addTo(object json.RawMessage) json.RawMessage {
	had, _, err := membersOf(object)
	if err != nil {
		return object
	}
	last := bytes.LastIndexByte(object, '}')
	b := append(make([]byte, 0, len(object)+len(m.whole)), object[:last]...)
	empty := len(had) == 0
	for i, key := range m.keys {
		if slices.Contains(had, key) {
			continue
		}
		if !empty {
			b = append(b, ',')
		}
		empty = false
		b = append(rawjson.AppendQuote(b, key), ':')
		b = append(b, m.values[i]...)
	}
	return append(b, object[last:]...)
}

// member finds the value of a key at the top level of an object. The value is a slice of the object's own
// bytes. Of a duplicate key the last one is used, as in nearly every JSON parser. If the object is truncated,
// the part before is used.
func member(object json.RawMessage, key string) (found json.RawMessage, ok bool) {
	dec := decode(object, lenient...)
	defer dec.release()
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, false
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadValue()
		if err != nil {
			break
		}
		hit := isNamed(name, key)
		value, err := dec.ReadValue()
		if err != nil {
			break
		}
		if hit {
			end := int(dec.InputOffset())
			found, ok = object[end-len(value):end], true
		}
	}
	return found, ok
}

// text returns the string value of a field, or "".
func text(object json.RawMessage, key string) string {
	raw, _ := member(object, key)
	if len(raw) > 1 && raw[0] == '"' && plain(raw[1:len(raw)-1]) {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// plain reports whether text needs no escapes in a JSON string.
func plain(inner []byte) bool {
	for _, c := range inner {
		if c < ' ' || c >= 0x80 || c == '\\' || c == '"' {
			return false
		}
	}
	return true
}
