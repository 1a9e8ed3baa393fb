package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func sendRaw() tool {
	return tool{
		name: "send_raw", title: "Send a raw message", changes: true, open: true,
		doc: "Sends any message to the connected server, valid or not, and returns the response: to test how a server handles unknown " +
			"methods, wrong parameters or malformed JSON. For a request the tool returns its response; after any other message it returns what arrives within wait_ms. A message calls at most one tool.",
		input: closed("",
			need("message", text("The message. By default it is sent byte for byte, valid or not.", maxJSON)),
			may("fill_in", flag("The message is an object with method and params: add the id and the fields that the protocol version requires.")),
			may("wait_ms", whole("How long to wait for messages after a message that has no response (default: 1000).", 1, 60_000)),
			onConnection()),
		output: answers(connectionAnswer(), may("response", value("The response, if the message was a request.")), may("cut", line("Parts omitted from the response, and how to get them.")), need("frames", rows("The frames sent and received.", record(""))), metadataAnswer()),
		run:    runSend,
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
		return nil, &failure{Type: invalidArguments, Message: fmt.Sprintf("the message calls %d tools: at most %d per message; nothing was sent", n, maxRawCalls),
			Details: details{"calls": n, "sent": false}, Suggestion: "send one call per message, so that the user sees each"}
	}
	mark := l.Log.Len()
	reply, err := send(ctx, l, []byte(in.Message), in.FillIn)
	if err != nil {
		return nil, err
	}
	answer := ordered{"success", true, "connection", describe(l)}
	if reply != nil {
		response, cut := bounded(reply.Frame.Body, reply.Frame.Seq, false)
		if answer = append(answer, "response", response); cut != "" {
			answer = append(answer, "cut", cut)
		}
	} else if err := pause(ctx, time.Duration(max(in.WaitMS, 0))*time.Millisecond); err != nil {
		return nil, err
	}
	return append(answer, "frames", framesSince(l, mark), "metadata", timing{c.elapsed()}), nil
}

// send sends a message, and waits for its response if it is a request.
func send(ctx context.Context, l *workbench.Link, body []byte, fill bool) (*mcp.Message, error) {
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

func sendFilled(ctx context.Context, l *workbench.Link, body json.RawMessage) (*mcp.Message, error) {
	method := textAt(body, "/method")
	if method == "" {
		return nil, &failure{Type: invalidArguments, Message: "fill_in requires a message with a method", Details: details{}, Suggestion: `pass {"method": …, "params": …}, or remove fill_in`}
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
