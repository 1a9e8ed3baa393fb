package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func sendRaw() tool {
	return tool{
		name: "send_raw", changes: true, open: true,
		doc: "Sends any message, valid or not, and returns the response, or what arrives " +
			"within wait_ms. A message calls at most one tool.",
		input: closed("",
			need("message", text("The message, sent byte for byte.", maxJSON)),
			may("fill_in", flag("The message has method and params; add what the protocol requires.")),
			may("wait_ms", whole("Time to wait if there is no response (default: 1000).", 1, 60_000)),
			onConnection()),
		run: runSend,
	}
}

func runSend(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		Message, Connection string
		FillIn              bool  `json:"fill_in"`
		WaitMS              int64 `json:"wait_ms"`
	}](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	if n := rawCalls([]byte(in.Message)); n > maxRawCalls && !in.FillIn {
		return nil, &failure{Type: invalidArguments,
			Message: fmt.Sprintf("the message calls %d tools: at most %d per message; nothing was sent", n,
				maxRawCalls),
			Details:    details{"calls": n, "sent": false},
			Suggestion: "send one call per message, so that the user sees each"}
	}
	mark := l.Log.Len()
	reply, err := send(ctx, l, []byte(in.Message), in.FillIn)
	if err != nil {
		return nil, err
	}
	answer := ordered{"success", true, "connection", reached(l)}
	if reply != nil {
		response, cut := bounded(reply.Frame.Body, reply.Frame.Seq, normal)
		if answer = append(answer, "response", response); cut != "" {
			answer = append(answer, "cut", cut)
		}
	} else if err := pause(ctx, time.Duration(max(in.WaitMS, 0))*time.Millisecond); err != nil {
		return nil, err
	}
	return append(answer, "frames", framesSince(l, mark), "metadata", timing{c.elapsed()}), nil
}

// send sends a message, and waits for its response if it is a request.
func send(ctx context.Context, l *connections.Link, body []byte, fill bool) (*mcp.Message, error) {
	if fill {
		return sendFilled(ctx, l, body)
	}
	var id json.RawMessage
	if m := mcp.Read(wire.Frame{Body: body}); m.IsRequest() && len(m.Rest) == 0 {
		id = m.ID
	}
	ex, err := l.Session.CallRaw(ctx, id, body, nil)
	if err != nil {
		return nil, err
	}
	return ex.Reply, nil
}

func sendFilled(ctx context.Context, l *connections.Link, body json.RawMessage) (*mcp.Message, error) {
	method := schema.TextAt(body, "/method")
	if method == "" {
		return nil, &failure{Type: invalidArguments, Message: "fill_in requires a message with a method",
			Details: details{}, Suggestion: `pass {"method": …, "params": …}, or remove fill_in`}
	}
	params, _ := schema.Get(body, "/params")
	ex, err := l.Session.Do(ctx, mcp.Request{Method: method, Params: params, Manual: true})
	if err != nil {
		return nil, err
	}
	return ex.Reply, nil
}

func pause(ctx context.Context, wait time.Duration) error {
	if wait == 0 {
		wait = time.Second
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
