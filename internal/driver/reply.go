package driver

import (
	"encoding/json"
	"fmt"

	lines "github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// reply sends the response to a request.
func (d *driver) reply(id json.RawMessage, result any, err error) {
	if err != nil {
		d.fail(id, d.failureOf(err))
		return
	}
	text := lines.Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result})
	if len(text) > lines.MaxMessage {
		d.fail(id, &Error{Code: codeInternal, Message: fmt.Sprintf("the result has %d bytes: expected at most %d",
			len(text), lines.MaxMessage)})
		return
	}
	_ = d.out.Write(text) // the end of stdin follows, if the client is gone
}

// fail sends the error of a request.
func (d *driver) fail(id json.RawMessage, e *Error) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	_ = d.out.Write(lines.Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *Error          `json:"error"`
	}{"2.0", id, e}))
}

// notify sends a notification.
func (d *driver) notify(method string, params any) {
	_ = d.out.Write(lines.Encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params}))
}
