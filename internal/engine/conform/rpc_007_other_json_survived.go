package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc007 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic"),
		Doc: `JSON value that is not a message must not close the connection

A number, a string, an object without a method, and a request without jsonrpc or with an object as ID are not valid
messages. A server must reject or ignore them and serve the next request. If it exits or stops responding, all other
requests are lost as well. Some SDKs exit on all of them except an object without a method; that is a warning.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		all := notMessages(p)
		for i, one := range all {
			sent, err := p.SendRaw(ctx, s, one.body)
			if err == nil {
				_, err = p.Alive(ctx, s)
			}
			if err == nil && i == len(all)-1 {
				p.WaitIdle(ctx) // a server may respond once more before it exits
				_, err = p.Alive(ctx, s)
			}
			if err == nil {
				continue
			}
			if i == 0 {
				p.Report(Evidence{Subject: one.what, Frames: []wire.Frame{sent}},
					"server no longer responds after it: %s, expected it to continue", clip.Text(wire.Reason(err), 200))
			} else {
				p.Warn(Evidence{Subject: "malformed messages", Frames: []wire.Frame{sent}},
					"server no longer responds after %s, expected it to continue", one.what)
			}
			break // a lost or unresponsive server shows nothing about the other kinds
		}
		return nil
	},
}

// A notMessage is JSON that is not a JSON-RPC message.
type notMessage struct{ what, body string }

func notMessages(p *CheckContext) []notMessage {
	ping := `"method":"` + p.pinged() + `","params":` + p.Params("")
	return []notMessage{
		{"an object that is not a message", `{"jsonrpc":"2.0","id":"mcptest-7"}`},
		{"a number", `42`}, {"a string", `"mcptest"`}, {"null", `null`},
		{"a request without jsonrpc", `{"id":"mcptest-7b",` + ping + `}`},
		{"a request whose id is an object", `{"jsonrpc":"2.0","id":` + objectID + `,` + ping + `}`},
	}
}
