package requests

import (
	"context"
	"encoding/json"
	"io"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ReadInput is the input of ResourcesRead.
type ReadInput struct {
	URI string `json:"uri" cli:"arg" jsonschema:"the resource to read"`
	workbench.Connection
	Save string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"save binary content to files in DIR"`
}

// A Response is the response to one request.
type Response struct {
	*calls.Outcome

	saved  *saver
	advice string
}

// Advice returns a suggestion if the request may be wrong.
func (a *Response) Advice() string { return a.advice }

// advise sets the suggestion if the server's error indicates that the request may be wrong.
func (a *Response) advise(try string) *Response {
	if a != nil && (a.Reply.Error.Code == mcp.CodeInvalidParams || a.Reply.Error.Code == codeNoResource) {
		a.advice = try
	}
	return a
}

// RawJSON returns the server's own result or error.
func (a *Response) RawJSON() []byte {
	if a.Reply.Error != nil {
		return rawError(a.Exchange)
	}
	return a.Reply.Result
}

// Failed reports whether the call counts as failed, or its content could not be saved.
func (a *Response) Failed() bool { return a.Verdict.Failed() || a.saved.err != nil }

// refused reports whether the server responded with an error.
func (a *Response) refused() bool { return a.RPC != nil }

// Remarks returns what the server's own JSON does not contain: problems of the result, and where its content
// was saved. Notices during the call were shown as they happened.
func (a *Response) Remarks() []string {
	var all []string
	for _, r := range a.Verdict.Remarks() {
		if r.Kind == calls.KindMalformed || r.Kind == calls.KindOutput {
			all = append(all, "✗ "+r.Message)
		} else if r.Kind == calls.KindUnchecked {
			all = append(all, "note: "+r.Message)
		}
	}
	return append(all, a.saved.remarks()...)
}

// problem adds a problem of the result.
func (a *Response) problem(pointer, message string) {
	a.Problems = append(a.Problems, calls.Problem{Pointer: pointer, Message: message})
}

// writeRemarks shows the remarks on a result. Notices during the call were shown as they happened.
func (a *Response) writeRemarks(t *workbench.Text) {
	for _, r := range a.Verdict.Remarks() {
		switch {
		case r.Kind == calls.KindError:
			writeRPCError(t, a.RPC)
		case r.Fails():
			t.Line(t.Bad("✗ %s", r.Message))
		case r.Kind == calls.KindUnchecked:
			t.Line("note: " + r.Message)
		}
	}
	if a.saved.err != nil {
		t.Line(t.Bad("✗ %v", a.saved.err))
	}
}

// ResourcesRead reads a resource.
var ResourcesRead = workbench.Op[ReadInput, *Response]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "resources read", Parent: &resources, Doc: "Read a resource", Page: true,
	Example: "mcptest resources read demo://planets demo",
	Run: func(ctx context.Context, w *workbench.Workbench, in *ReadInput) (*Response, error) {
		a, err := callOnce(ctx, w, &in.Connection, in.Save, calls.Call{Method: calls.Resource, Name: in.URI})
		if err != nil || a.refused() {
			return a.advise("run mcptest resources list or mcptest resources templates to see the resources"), err
		}
		items, _ := elementsAt(a.Reply.Result, "/contents")
		for _, item := range items {
			a.saved.resource(item)
		}
		return a, nil
	},
	Text: func(out io.Writer, a *Response) error {
		t := workbench.NewText(out)
		items, _ := elementsAt(a.Reply.Result, "/contents")
		for _, item := range items {
			writeResource(t, item, a.saved)
		}
		a.writeRemarks(t)
		return t.Err
	},
}

// callOnce opens a session for one call.
func callOnce(ctx context.Context, w *workbench.Workbench, c *workbench.Connection, save string,
	call calls.Call) (*Response,
	error) {
	saved, err := newSaver(w, save)
	if err != nil {
		return nil, err
	}
	s, err := w.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	outcome, err := call.Send(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	return &Response{Outcome: outcome, saved: saved}, nil
}

// elementsAt returns the list at a pointer.
func elementsAt(doc json.RawMessage, pointer string) ([]json.RawMessage, error) {
	raw, _ := schema.Get(doc, pointer)
	return schema.Elements(raw)
}
