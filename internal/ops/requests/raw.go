package requests

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A RawInput is any message to a server, valid or not.
type RawInput struct {
	Method string `json:"method,omitempty" cli:"optional" jsonschema:"the method to call"`
	Params string `json:"params,omitempty" cli:"optional" jsonschema:"params as JSON, sent byte for byte"`
	workbench.Connection
	Body   string        `json:"body,omitempty" placeholder:"FRAME" empty:"no" jsonschema:"send this whole frame unchanged, valid or not; use @FILE or - to read it from a file or stdin"`
	Notify bool          `json:"notify,omitempty" jsonschema:"send a notification: no id, no response"`
	Bare   bool          `json:"bare,omitempty" jsonschema:"skip the handshake"`
	Wait   time.Duration `json:"wait,omitempty" placeholder:"D" jsonschema:"how long to wait for messages after a notification (default 1s)"`
}

// A RawResponse is the result of a raw message: a response, or all messages received.
type RawResponse struct {
	Exchange *mcp.Exchange
	Heard    []wire.Frame
}

// RawJSON returns the whole response frame, or each received frame on its own line.
func (a *RawResponse) RawJSON() []byte {
	if a.Exchange != nil && a.Exchange.Reply != nil {
		return a.Exchange.Reply.Frame.Body
	}
	var all []byte
	for i, f := range a.Heard {
		if i > 0 {
			all = append(all, '\n')
		}
		all = append(all, f.Body...)
	}
	return all
}

// Failed reports whether the server returned an error.
func (a *RawResponse) Failed() bool {
	if a.Exchange != nil && a.Exchange.Reply != nil {
		return a.Exchange.Reply.Error != nil
	}
	return slices.ContainsFunc(a.Heard, func(f wire.Frame) bool { return mcp.Read(f).Error != nil })
}

// Raw sends any message.
var Raw = workbench.Op[RawInput, *RawResponse]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "raw", Section: workbench.Explore, Order: 60, Page: true,
	Doc: "Send a raw message and print the response\n\n" +
		"METHOD and PARAMS form a request. The _meta fields that the protocol version requires are added; the rest " +
		"is sent unchanged.\n" +
		"With --body the whole frame is sent unchanged, valid JSON or not.",
	Example: "mcptest raw tools/list demo" + "\n" +
		`mcptest raw --body '{"jsonrpc":"2.0","id":1}' demo`,
	Run: runRaw,
	Text: func(out io.Writer, a *RawResponse) error {
		t := workbench.NewText(out)
		if a.Exchange != nil && a.Exchange.Reply != nil {
			t.JSON(a.Exchange.Reply.Frame.Body)
			return t.Err
		}
		for _, f := range a.Heard {
			t.JSON(f.Body)
		}
		return t.Err
	},
}

func runRaw(ctx context.Context, w *workbench.Workbench, in *RawInput) (*RawResponse, error) {
	body, err := in.frame(w)
	if err != nil {
		return nil, err
	}
	if w.Log == nil {
		w.Log = wire.NewTranscript(nil) // received messages are read from there
	}
	w.Client.Bare = in.Bare
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	if body == nil && !in.Notify {
		ex, err := s.Do(ctx, mcp.Request{Method: in.Method, Params: json.RawMessage(in.Params), Manual: true})
		return &RawResponse{Exchange: ex}, err
	}
	mark := w.Log.Len()
	if in.Notify {
		err = s.Notify(ctx, in.Method, json.RawMessage(in.Params))
		return listen(ctx, w, in, mark, err)
	}
	if m := mcp.Read(wire.Frame{Body: body}); m.IsRequest() && len(m.Rest) == 0 {
		ex, err := s.CallRaw(ctx, m.ID, body, nil)
		return &RawResponse{Exchange: ex}, err
	}
	_, err = s.CallRaw(ctx, nil, body, nil)
	return listen(ctx, w, in, mark, err)
}

// listen waits for messages after one that has no response.
func listen(ctx context.Context, w *workbench.Workbench, in *RawInput, mark int, err error) (*RawResponse, error) {
	if err != nil {
		return nil, err
	}
	wait := in.Wait
	if wait == 0 {
		wait = time.Second
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	answer := &RawResponse{}
	for _, f := range w.Log.Since(mark) {
		if f.From == wire.Server && len(f.Body) > 0 {
			answer.Heard = append(answer.Heard, f)
			if m := mcp.Read(f); !in.Notify && m.Error != nil && (len(m.ID) == 0 || string(m.ID) == "null") {
				w.Event(workbench.Event{Notice: fmt.Sprintf("frame %d is treated as the response: it has no id",
					f.Seq)})
			}
		}
	}
	if len(answer.Heard) == 0 {
		w.Event(workbench.Event{Notice: fmt.Sprintf("sent; no message received within %v", wait)})
	}
	return answer, nil
}

// frame returns the body to send unchanged, or nil if a request must be built.
func (in *RawInput) frame(w *workbench.Workbench) ([]byte, error) {
	switch {
	case in.Body != "" && (in.Method != "" || in.Params != ""):
		return nil, &workbench.UsageError{Message: "a method and --body are mutually exclusive",
			Hint: "{--body} contains the whole frame, including the method"}
	case in.Body != "" && !w.Grants.Files:
		return []byte(in.Body), nil
	case in.Body != "":
		return readArgument(w, in.Body)
	case in.Method == "":
		return nil, &workbench.UsageError{Message: "missing method",
			Hint: "run: mcptest raw METHOD [PARAMS] TARGET, or use {--body} FRAME"}
	case in.Params != "" && !jsontext.Value(in.Params).IsValid(jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)):
		return nil, &workbench.UsageError{Message: "the params are not JSON: " + clip.Runes(in.Params, 60),
			Hint: "to send a malformed frame on purpose, use {--body}"}
	}
	return nil, nil
}

// readArgument reads a value that may be in a file (@FILE) or on stdin (-).
func readArgument(w *workbench.Workbench, value string) ([]byte, error) {
	var data []byte
	var err error
	switch {
	case value == "-":
		var in io.Reader
		if in, err = w.Stdin(); err == nil {
			data, err = io.ReadAll(io.LimitReader(in, wire.DefaultMaxFrame))
		}
	case strings.HasPrefix(value, "@"):
		data, err = w.ReadFile(value[1:])
	default:
		return []byte(value), nil
	}
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	return []byte(strings.TrimRight(string(data), "\r\n")), nil
}
