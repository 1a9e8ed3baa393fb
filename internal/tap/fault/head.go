package fault

import (
	"bytes"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Head is what the selection of a message depends on.
type Head struct {
	Method   string
	Tool     string          // of a tools/call
	ID       json.RawMessage // nil if absent
	Response bool
}

// HeadOf returns the head of a parsed message.
func HeadOf(m *mcp.Message) Head {
	h := Head{Method: m.Method, ID: m.ID, Response: m.IsResponse()}
	if m.Method == "tools/call" {
		h.Tool = schema.TextAt(m.Params, "/name")
	}
	return h
}

func (h *Head) isRequest() bool { return h.Method != "" && h.ID != nil }

// readHead reads the head of a message from its beginning, without parsing the rest: a message that gets no fault must
// not be slower than without a plan. Known is false if the head is not complete, which may be because the text has
// something that only a parser can read, such as a batch or escaped names.
func readHead(text []byte) (h Head, known bool) {
	r := reader{text: text}
	if !r.skip('{') {
		return h, false
	}
	for !r.skip('}') {
		name, ok := r.name()
		if !ok {
			return h, false
		}
		switch name {
		case "method":
			if h.Method, ok = r.plain(); ok && h.Method == "" {
				return h, false
			}
		case "id":
			h.ID, ok = r.value()
		case "params":
			if h.Method == "" { // its tool may matter, which is not known yet
				return h, false
			}
			if h.Method == "tools/call" {
				ahead := r
				h.Tool, ok = ahead.tool()
			}
			if h.complete() && ok {
				return h, true
			}
			if ok {
				_, ok = r.value()
			}
		case "result", "error":
			if h.Response = h.Method == ""; h.Response && h.ID != nil {
				return h, true
			}
			_, ok = r.value()
		default:
			_, ok = r.value()
		}
		if !ok {
			return h, false
		}
		r.skip(',')
	}
	return h, h.Method != "" || h.Response
}

// complete reports whether nothing that follows params can change the head of a request.
func (h *Head) complete() bool { return h.ID != nil && (h.Method != "tools/call" || h.Tool != "") }

// A reader reads JSON whose end may be missing. It finds where values end, and does not check them.
type reader struct {
	text []byte
	at   int
}

// space skips white space.
func (r *reader) space() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t' || r.text[r.at] == '\r' || r.text[r.at] == '\n') {
		r.at++
	}
}

// skip skips white space, and then a byte if it is next. It reports whether it was.
func (r *reader) skip(b byte) bool {
	r.space()
	if r.at >= len(r.text) || r.text[r.at] != b {
		return false
	}
	r.at++
	return true
}

// name reads the name of a member and the colon after it.
func (r *reader) name() (string, bool) {
	name, ok := r.plain()
	return name, ok && r.skip(':')
}

// plain reads a string without escapes.
func (r *reader) plain() (string, bool) {
	if !r.skip('"') {
		return "", false
	}
	end := stringEnd(r.text, r.at-1)
	if end < 0 {
		return "", false
	}
	text := r.text[r.at:end]
	if r.at = end + 1; bytes.IndexByte(text, '\\') >= 0 {
		return "", false
	}
	return string(text), true
}

// tool reads the name of the tool from the parameters of a tools/call; it is empty if there is none.
func (r *reader) tool() (string, bool) {
	if !r.skip('{') {
		return "", false
	}
	for !r.skip('}') {
		name, ok := r.name()
		if ok && name == "name" {
			return r.plain()
		}
		if ok {
			_, ok = r.value()
		}
		if !ok {
			return "", false
		}
		r.skip(',')
	}
	return "", true
}

// value reads a value of any type.
func (r *reader) value() (json.RawMessage, bool) {
	r.space()
	start, depth := r.at, 0
	for ; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '"':
			end := stringEnd(r.text, r.at)
			if end < 0 {
				return nil, false
			}
			if r.at = end; depth == 0 {
				r.at++
				return r.text[start:r.at], true
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the end of what contains a number or a word
				return r.text[start:r.at], r.at > start
			}
			if depth--; depth == 0 {
				r.at++
				return r.text[start:r.at], true
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return r.text[start:r.at], r.at > start
			}
		}
	}
	return nil, false
}
