package workbench

import (
	"context"
	"encoding/json"
	"io"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A ReadInput is the input of ResourcesRead.
type ReadInput struct {
	URI string `json:"uri" cli:"arg" jsonschema:"the resource to read"`
	Connection
	Save string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"save binary content to files in DIR"`
}

// An Answer is the response to one request.
type Answer struct {
	*calls.Outcome

	saved  *saver
	advice string
}

// Advice returns a suggestion if the request may be wrong.
func (a *Answer) Advice() string { return a.advice }

// advise sets the suggestion if the server's error indicates that the request may be wrong.
func (a *Answer) advise(try string) *Answer {
	if a != nil && (a.Reply.Error.Code == mcp.CodeInvalidParams || a.Reply.Error.Code == codeNoResource) {
		a.advice = try
	}
	return a
}

// RawJSON returns the server's own result or error.
func (a *Answer) RawJSON() []byte {
	if a.Reply.Error != nil {
		return rawError(a.Exchange)
	}
	return a.Reply.Result
}

// Failed reports whether the call counts as failed, or its content could not be saved.
func (a *Answer) Failed() bool { return a.Verdict.Failed() || a.saved.err != nil }

// refused reports whether the server responded with an error.
func (a *Answer) refused() bool { return a.RPC != nil }

// Remarks returns what the server's own JSON does not contain: problems of the result, and where its content
// was saved. Notices during the call were shown as they happened.
func (a *Answer) Remarks() []string {
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
func (a *Answer) problem(pointer, message string) {
	a.Problems = append(a.Problems, calls.Problem{Pointer: pointer, Message: message})
}

// writeRemarks shows the remarks on a result. Notices during the call were shown as they happened.
func (a *Answer) writeRemarks(t *text) {
	for _, r := range a.Verdict.Remarks() {
		switch {
		case r.Kind == calls.KindError:
			writeRPCError(t, a.RPC)
		case r.Fails():
			t.line(t.bad("✗ %s", r.Message))
		case r.Kind == calls.KindUnchecked:
			t.line("note: " + r.Message)
		}
	}
	if a.saved.err != nil {
		t.line(t.bad("✗ %v", a.saved.err))
	}
}

// ResourcesRead reads a resource.
var ResourcesRead = Op[ReadInput, *Answer]{
	Uses: Frames | Requests,
	Name: "resources read", Doc: "Read a resource", Surfaces: Page | Assistant,
	Example: "mcptest resources read demo://planets demo",
	Run: func(ctx context.Context, w *Workbench, in *ReadInput) (*Answer, error) {
		a, err := w.ask(ctx, &in.Connection, in.Save, calls.Call{Method: calls.Resource, Name: in.URI})
		if err != nil || a.refused() {
			return a.advise("run mcptest resources list or mcptest resources templates to see the resources"), err
		}
		items, _ := elementsAt(a.Reply.Result, "/contents")
		for _, item := range items {
			a.saved.resource(item)
		}
		return a, nil
	},
	Text: func(out io.Writer, a *Answer) error {
		t := newText(out)
		items, _ := elementsAt(a.Reply.Result, "/contents")
		for _, item := range items {
			writeResource(t, item, a.saved)
		}
		a.writeRemarks(t)
		return t.err
	},
}

// ask opens a session for one call.
func (w *Workbench) ask(ctx context.Context, c *Connection, save string, call calls.Call) (*Answer, error) {
	saved, err := w.newSaver(save)
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
	return &Answer{Outcome: outcome, saved: saved}, nil
}

// elementsAt returns the list at a pointer.
func elementsAt(doc json.RawMessage, pointer string) ([]json.RawMessage, error) {
	raw, _ := schema.Get(doc, pointer)
	return schema.Elements(raw)
}
