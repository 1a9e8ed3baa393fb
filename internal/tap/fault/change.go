package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// garbage is a line that is not JSON, such as a program prints by mistake.
const garbage = "mcptest tap: this line is not JSON {"

// Changed returns the body of a message with the fault of a rule, for kinds that change the body.
func (r *Rule) Changed(body []byte, m *mcp.Message) []byte {
	switch r.Kind {
	case Error:
		return errorReply(m.ID, r.number)
	case WrongID:
		return wrongID(body)
	case Garbage:
		return []byte(garbage)
	case Cut:
		return body[:len(body)/2]
	case Oversize:
		return padded(body, r.number)
	case InvalidUTF8:
		return withInvalidUTF8(body)
	}
	return body
}

// errorReply returns the response with an error.
func errorReply(id json.RawMessage, code int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"error injected by mcptest tap"}}`,
		id, code)
}

// wrongID replaces the ID by one that no client uses. A message that is not an object stays as it is.
func wrongID(body []byte) []byte {
	edit := finding.Edit{Pointer: "/id", Value: json.RawMessage(`"mcptest-wrong-id"`)}
	changed, err := schema.Apply(body, []finding.Edit{edit})
	if err != nil {
		return body
	}
	return changed
}

// padded inserts white space after the first bracket, so that the message has the same meaning.
func padded(body []byte, size int) []byte {
	at := bytes.IndexAny(body, "{[") + 1
	if at == 0 || len(body) >= size {
		return body
	}
	out := make([]byte, 0, size)
	out = append(out, body[:at]...)
	out = append(out, bytes.Repeat([]byte(" "), size-len(body))...)
	return append(out, body[at:]...)
}

// withInvalidUTF8 inserts bytes that are not UTF-8 at the end of the longest string that is a value: that is most often
// text, and not a word of the protocol.
func withInvalidUTF8(body []byte) []byte {
	last, longest := -1, -1
	for i := 0; i < len(body); i++ {
		if body[i] != '"' {
			continue
		}
		end := stringEnd(body, i)
		if end < 0 {
			break
		}
		if rest := bytes.TrimLeft(body[end+1:], " \t\r\n"); len(rest) > 0 && rest[0] != ':' && end-i > longest {
			last, longest = end, end-i
		}
		i = end
	}
	if last < 0 {
		return body
	}
	out := append([]byte{}, body[:last]...)
	return append(append(out, 0xff, 0xc3, 0x28), body[last:]...)
}

// stringEnd returns the offset of the closing quote of the string that begins at an offset; -1 if there is none.
func stringEnd(body []byte, at int) int {
	for i := at + 1; ; i++ {
		next := bytes.IndexByte(body[i:], '"')
		if next < 0 {
			return -1
		}
		i += next
		escapes := 0
		for body[i-1-escapes] == '\\' { // ends at the opening quote
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
	}
}

// floodLine is one line of a flood.
const floodLine = "mcptest tap: this line was injected into stderr, and is repeated many times to fill the pipe\n"

// Flood writes lines of the size of a rule.
func (r *Rule) Flood(out io.Writer) error {
	for left := r.number; left > 0; left -= len(floodLine) {
		if _, err := io.WriteString(out, floodLine); err != nil {
			return err
		}
	}
	return nil
}
