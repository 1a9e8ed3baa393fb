package invoke

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Scrub removes secrets from server text that becomes part of a gateway error.
func (v *Invoker) Scrub(text string) string {
	if v.Redact != nil {
		return v.Redact(text)
	}
	return redact.Text(text)
}

// Message is an error as a client may read it: without secrets, and without the address of a database.
func (v *Invoker) Message(err error) string {
	var store *catalog.StoreError
	if errors.As(err, &store) {
		return "the catalog is currently unavailable; see the gateway log for the reason"
	}
	return v.Scrub(err.Error())
}

// ScrubJSON removes secrets from the strings of a document. Names, images and all other bytes stay unchanged.
func (v *Invoker) ScrubJSON(doc json.RawMessage) json.RawMessage {
	d := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var b []byte // nil until something has changed
	copied, name := 0, ""
	for {
		if d.PeekKind() != '"' {
			if _, err := d.ReadToken(); err != nil {
				break // the end
			}
			continue
		}
		raw, err := d.ReadValue()
		if err != nil {
			break
		}
		text, err := jsontext.AppendUnquote(nil, raw)
		if kind, length := d.StackIndex(d.StackDepth()); kind == '{' && length%2 == 1 {
			name = string(text)
			continue
		}
		if err != nil || name == "data" || name == "blob" {
			continue
		}
		if clean := v.Scrub(string(text)); clean != string(text) {
			end := int(d.InputOffset())
			b = append(b, doc[copied:end-len(raw)]...)
			b, _ = jsontext.AppendQuote(b, clean)
			copied = end
		}
	}
	if b == nil {
		return doc
	}
	return append(b, doc[copied:]...)
}

// Outgoing is a tool result with the redaction that the policy requires.
func (v *Invoker) Outgoing(result json.RawMessage) json.RawMessage {
	if result == nil || !v.now().RedactResults {
		return result
	}
	return v.ScrubJSON(result)
}

// OutgoingError is a server error with the redaction that the policy requires.
func (v *Invoker) OutgoingError(e *mcp.RPCError) *mcp.RPCError {
	if !v.now().RedactResults {
		return e
	}
	return &mcp.RPCError{Code: e.Code, Message: v.Scrub(e.Message), Data: v.ScrubJSON(e.Data)}
}

// FailureText is the error text of a result with isError.
func FailureText(result json.RawMessage) string {
	var said struct {
		Content []struct{ Text string }
	}
	_ = json.Unmarshal(result, &said) // a value of another shape has no text
	for _, block := range said.Content {
		if block.Text != "" {
			return block.Text
		}
	}
	return "the tool returned an error without a text"
}
