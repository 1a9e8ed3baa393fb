package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc007 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic"),
		Doc: `a JSON value that is not a message must not end the connection.

A number, a string, an object without a method, and a request without jsonrpc or with an object for an id are not valid
messages. A server rejects or ignores them and serves the next request. One that exits or falls silent takes every other
request down with it. Some SDKs exit on all but an object without a method, which is a warning.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for i, one := range notMessages(p) {
			sent, err := p.Throw(ctx, s, one.body)
			if err == nil {
				_, err = p.Alive(ctx, s)
			}
			if err == nil {
				continue
			}
			if i == 0 {
				p.Report(Seen{Subject: one.what, Frames: []wire.Frame{sent}}, "after %s the server did not answer any more: %s; want it to go on", one.what, clip(err.Error(), 200))
			} else {
				p.Warn(Seen{Subject: "malformed messages", Frames: []wire.Frame{sent}}, "the server did not answer any more after %s; want it to go on", one.what)
			}
			break // a server that is gone or silent shows nothing about the other kinds
		}
		return nil
	},
}

// objectID is an id that no request may have. A server that returns it in its error has only repeated our fault.
const objectID = `{"mcptest":7}`

// A notMessage is JSON that is not a JSON-RPC message.
type notMessage struct{ what, body string }

func notMessages(p *Pass) []notMessage {
	ping := `"method":"` + p.pinged() + `","params":` + p.Params("")
	return []notMessage{
		{"an object that is no message", `{"jsonrpc":"2.0","id":"mcptest-7"}`},
		{"a number", `42`}, {"a string", `"mcptest"`}, {"null", `null`},
		{"a request without jsonrpc", `{"id":"mcptest-7b",` + ping + `}`},
		{"a request whose id is an object", `{"jsonrpc":"2.0","id":` + objectID + `,` + ping + `}`},
	}
}
