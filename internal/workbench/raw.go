package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A RawInput is any message to a server, right or wrong.
type RawInput struct {
	Method string `json:"method,omitempty" cli:"optional" jsonschema:"the method to call"`
	Params string `json:"params,omitempty" cli:"optional" jsonschema:"its params as JSON, sent byte for byte"`
	Connection
	Body   string        `json:"body,omitempty" placeholder:"FRAME" empty:"no" jsonschema:"send this whole frame as it is, whatever it is; @FILE and - read it from there"`
	Notify bool          `json:"notify,omitempty" jsonschema:"send a notification: no id, no answer"`
	Bare   bool          `json:"bare,omitempty" jsonschema:"no handshake before it"`
	Wait   time.Duration `json:"wait,omitempty" placeholder:"D" jsonschema:"how long to listen after a frame that wants no answer (default 1s)"`
}

// A RawAnswer is what came of a raw message: an answer, or all that was heard.
type RawAnswer struct {
	Exchange *mcp.Exchange
	Heard    []wire.Frame
}

// RawJSON is the whole frame that answers, or each frame that was heard on a line of its own.
func (a *RawAnswer) RawJSON() []byte {
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

// Failed reports whether the server answered with an error.
func (a *RawAnswer) Failed() bool {
	if a.Exchange != nil && a.Exchange.Reply != nil {
		return a.Exchange.Reply.Error != nil
	}
	return slices.ContainsFunc(a.Heard, func(f wire.Frame) bool { return mcp.Read(f).Error != nil })
}

// Raw sends any message.
var Raw = Op[RawInput, *RawAnswer]{
	Name: "raw", Surfaces: Page | Assistant,
	Doc: "Send any message and see what comes back\n\n" +
		"METHOD and PARAMS make a request; what the revision wants in _meta is added, all else goes out as given.\n" +
		"With --body the whole frame goes out as it is, JSON or not.",
	Example: "mcptest raw tools/list demo" + "\n" +
		`mcptest raw --body '{"jsonrpc":"2.0","id":1}' demo`,
	Run: runRaw,
	Text: func(out io.Writer, a *RawAnswer) error {
		t := newText(out)
		if a.Exchange != nil && a.Exchange.Reply != nil {
			t.json(a.Exchange.Reply.Frame.Body)
			return t.err
		}
		for _, f := range a.Heard {
			t.json(f.Body)
		}
		return t.err
	},
}

func runRaw(ctx context.Context, w *Workbench, in *RawInput) (*RawAnswer, error) {
	body, err := in.frame(w)
	if err != nil {
		return nil, err
	}
	if w.Log == nil {
		w.Log = wire.NewTranscript(nil) // what is heard is read from there
	}
	w.Client.Bare = in.Bare
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	if body == nil && !in.Notify {
		ex, err := s.Do(ctx, mcp.Request{Method: in.Method, Params: json.RawMessage(in.Params), Manual: true})
		return &RawAnswer{Exchange: ex}, err
	}
	mark := w.Log.Len()
	if in.Notify {
		err = s.Notify(ctx, in.Method, json.RawMessage(in.Params))
		return w.listen(ctx, in, mark, err)
	}
	if m := mcp.Read(wire.Frame{Body: body}); m.IsRequest() && len(m.Rest) == 0 {
		ex, err := s.CallRaw(ctx, m.ID, body, nil)
		return &RawAnswer{Exchange: ex}, err
	}
	_, err = s.CallRaw(ctx, nil, body, nil)
	return w.listen(ctx, in, mark, err)
}

// listen waits for what a server says to something that wants no answer.
func (w *Workbench) listen(ctx context.Context, in *RawInput, mark int, err error) (*RawAnswer, error) {
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
	answer := &RawAnswer{}
	for _, f := range w.Log.Since(mark) {
		if f.From == wire.Server && len(f.Body) > 0 {
			answer.Heard = append(answer.Heard, f)
			if m := mcp.Read(f); !in.Notify && m.Error != nil && (len(m.ID) == 0 || string(m.ID) == "null") {
				w.event(Event{Notice: fmt.Sprintf("frame %d is the answer to what was sent: the server could read no id in it", f.Seq)})
			}
		}
	}
	if len(answer.Heard) == 0 {
		w.event(Event{Notice: fmt.Sprintf("sent; the server said nothing for %v", wait)})
	}
	return answer, nil
}

// frame is the body to send as it is, or nil if a request is to be built.
func (in *RawInput) frame(w *Workbench) ([]byte, error) {
	switch {
	case in.Body != "" && (in.Method != "" || in.Params != ""):
		return nil, &UsageError{Message: "both a method and --body", Hint: "--body is the whole frame, method included"}
	case in.Body != "" && !w.Grants.Files:
		return []byte(in.Body), nil
	case in.Body != "":
		return w.readArgument(in.Body)
	case in.Method == "":
		return nil, &UsageError{Message: "no method", Hint: "mcptest raw METHOD [PARAMS] TARGET, or --body FRAME"}
	case in.Params != "" && !jsontext.Value(in.Params).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return nil, &UsageError{Message: "the params are not JSON: " + clip(in.Params, 60), Hint: "to send a broken frame on purpose, use --body"}
	}
	return nil, nil
}

// readArgument reads a value that may stand in a file (@FILE) or on standard input (-).
func (w *Workbench) readArgument(value string) ([]byte, error) {
	var data []byte
	var err error
	switch {
	case value == "-":
		var in io.Reader
		if in, err = w.stdin(); err == nil {
			data, err = io.ReadAll(io.LimitReader(in, wire.DefaultMaxFrame))
		}
	case strings.HasPrefix(value, "@"):
		data, err = w.readFile(value[1:])
	default:
		return []byte(value), nil
	}
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	return []byte(strings.TrimRight(string(data), "\r\n")), nil
}
