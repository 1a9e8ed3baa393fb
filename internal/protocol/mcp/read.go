package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// maxDepth is the nesting depth from which a message is reported; the deepest one seen in practice has 12
// levels.
const maxDepth = 64

// lenient accepts JSON with invalid strings and duplicate keys.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// EndsWithCRLF is the problem of a line that ends with CR LF, which JSON allows.
const EndsWithCRLF = "the line ends with CR LF"

// Read parses a frame. It never fails: problems are recorded in Odd.
func Read(f wire.Frame) Message {
	m := Message{Frame: f}
	if f.Fault != "" {
		m.odd("%s", f.Fault)
	}
	body := f.Body
	if rest, ok := bytes.CutPrefix(body, []byte("\uFEFF")); ok {
		m.odd("a byte order mark at byte 0")
		body = rest
	}
	if bytes.HasSuffix(body, []byte("\r")) {
		m.odd(EndsWithCRLF)
	}
	start := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(start) == 0:
		m.odd("an empty message")
	case start[0] == '[':
		m.readBatch(start)
	case start[0] == '{':
		m.readObjects(start)
	default:
		m.odd("not JSON: %.80q", start)
	}
	return m
}

// maxMessages is how many messages of one frame are read; the rest is reported as one problem.
const maxMessages = 1000

// readObjects reads one object after another; there should be only one.
func (m *Message) readObjects(body []byte) {
	rest, at := body, 0
	for next := m; ; {
		n := next.readObject(rest)
		after := bytes.TrimLeft(rest[n:], " \t\r\n")
		at += len(rest) - len(after)
		rest = after
		switch {
		case len(rest) == 0:
			return
		case rest[0] != '{':
			next.odd("%d bytes follow the message, at byte %d: %.40q", len(rest), at, rest)
			return
		case len(m.Rest)+1 >= maxMessages:
			m.odd("more than %d messages in a frame; the rest is ignored", maxMessages)
			return
		case len(m.Rest) == 0:
			m.odd("more than one message in a frame")
		}
		m.Rest = append(m.Rest, Message{Frame: m.Frame})
		next = &m.Rest[len(m.Rest)-1]
	}
}

// readBatch reads the messages of an array.
func (m *Message) readBatch(body []byte) {
	before := m.Odd
	m.odd("a batch")
	dec := jsontext.NewDecoder(bytes.NewBuffer(body), lenient...)
	if _, err := dec.ReadToken(); err != nil {
		m.odd("%v", err)
		return
	}
	var items []Message
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil && !slices.ContainsFunc(items, isObject) { // a log line such as "[INFO] ready" or "[1/3] loading"
			m.Odd = before
			m.odd("not JSON: %.80q", body)
			return
		}
		if err != nil {
			m.odd("%s", describe(err))
			break
		}
		if len(items) == maxMessages {
			m.odd("a batch of more than %d messages; the rest is ignored", maxMessages)
			break
		}
		end := int(dec.InputOffset())
		item := Message{Frame: m.Frame}
		if value.Kind() == '{' {
			item.readObject(body[end-len(value) : end])
		} else {
			item.odd("a batch member that is not an object: %.40q", value)
		}
		items = append(items, item)
	}
	if len(items) > 0 {
		odd := m.Odd
		*m = items[0]
		m.Odd, m.Rest = append(odd, m.Odd...), items[1:]
	}
}

// isObject reports whether a member of a batch is an object, whatever its content.
func isObject(m Message) bool {
	return m.Method != "" || m.ID != nil || m.Result != nil || m.Error != nil
}

// readObject reads one message at the start of body and returns its length in bytes. It parses strictly first;
// if that fails, it records the error and parses leniently.
func (m *Message) readObject(body []byte) int {
	blank := *m
	n, err := m.members(body, false)
	if err != nil {
		*m = blank
		m.odd("%s", describe(err))
		if n, err = m.members(body, true); err != nil {
			n = len(body)
		}
	}
	if _, depth := rawjson.Nesting(body[:n]); depth > maxDepth {
		m.odd("nested %d levels deep", depth)
	}
	m.checkShape()
	return n
}

// members reads the fields of the object. What was read before an error is kept, so that the ID of a malformed
// response is known.
func (m *Message) members(body []byte, patient bool) (int, error) {
	m.Odd = append([]string(nil), m.Odd...)
	opts := lenient
	if !patient {
		opts = nil
	}
	dec := decode(body, opts...)
	defer dec.release()
	if _, err := dec.ReadToken(); err != nil {
		return 0, err
	}
	version := false
	for dec.PeekKind() == '"' {
		name, err := dec.ReadValue()
		if err != nil {
			return 0, err
		}
		key := memberName(name)
		value, err := dec.ReadValue()
		if err != nil {
			return 0, err
		}
		end := int(dec.InputOffset())
		raw := json.RawMessage(body[end-len(value) : end : end])
		if key == "jsonrpc" {
			version = true
		}
		m.member(key, raw)
	}
	if _, err := dec.ReadToken(); err != nil {
		return 0, err
	}
	if !version {
		m.odd("missing field jsonrpc")
	}
	return int(dec.InputOffset()), nil
}

func (m *Message) member(key string, raw json.RawMessage) {
	switch key {
	case "jsonrpc":
		if string(raw) != `"2.0"` {
			m.odd(`jsonrpc is %.40s, expected "2.0"`, raw)
		}
	case "id":
		m.ID = raw
		if k := raw[0]; k != '"' && k != '-' && (k < '0' || k > '9') && string(raw) != "null" {
			m.odd("id is %.40s, expected a string or a number", raw)
		}
	case "method":
		if json.Unmarshal(raw, &m.Method) != nil {
			m.odd("method is %.40s, expected a string", raw)
		}
	case "params":
		m.Params = raw
	case "result":
		m.Result = raw
	case "error":
		m.readError(raw)
	default:
		for _, known := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
			if strings.EqualFold(key, known) {
				m.odd("field %q resembles %q", key, known)
			}
		}
	}
}

// readError reads an error object field by field, so that one invalid field does not hide the others.
func (m *Message) readError(raw json.RawMessage) {
	if string(raw) == "null" {
		m.odd("error is null, expected the field to be absent")
		return
	}
	m.Error = &RPCError{}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		m.odd("error is %.80s, expected an object", raw)
		m.Error.Message = string(raw[:min(len(raw), 1000)])
		return
	}
	code := string(members["code"])
	n, err := strconv.ParseInt(code, 10, 64)
	if err != nil {
		m.odd("error code is %.40s, expected an integer", orAbsent(code))
	}
	m.Error.Code, m.Error.Data = n, members["data"]
	if text := members["message"]; json.Unmarshal(text, &m.Error.Message) != nil {
		m.odd("error message is %.40s, expected a string", orAbsent(string(text)))
	}
}

// checkShape records combinations of fields that no kind of message allows.
func (m *Message) checkShape() {
	switch {
	case m.Result != nil && m.Error != nil:
		m.odd("both result and error")
	case m.Method != "" && (m.Result != nil || m.Error != nil):
		m.odd("method together with result or error")
	case m.Method == "" && m.Result == nil && m.Error == nil:
		m.odd("message has none of method, result and error")
	case m.Method == "" && m.ID == nil:
		m.odd("response without id")
	case m.Method != "" && string(m.ID) == "null":
		m.odd("a request with id null")
	}
}

// isNamed reports whether a field has the name.
func isNamed(quoted jsontext.Value, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	return memberName(quoted) == name
}

func memberName(quoted jsontext.Value) string {
	switch string(quoted) { // those of nearly every message need no allocation
	case `"jsonrpc"`:
		return "jsonrpc"
	case `"id"`:
		return "id"
	case `"result"`:
		return "result"
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	name, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return string(quoted)
	}
	return string(name)
}

// describe returns what the JSON decoder found and where.
func describe(err error) string {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err.Error()
	}
	at := fmt.Sprintf(" at byte %d", syntax.ByteOffset)
	if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
		return fmt.Sprintf("duplicate key %q%s", syntax.JSONPointer.LastToken(), at)
	}
	if errors.Is(syntax.Err, io.ErrUnexpectedEOF) {
		return "JSON that ends too early," + at
	}
	return strings.TrimPrefix(syntax.Err.Error(), "jsontext: ") + at
}

func orAbsent(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}
