package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A ReadInput asks for a resource.
type ReadInput struct {
	URI string `json:"uri" cli:"arg" jsonschema:"the resource to read"`
	Connection
	Save string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"keep binary content as files there"`
}

// An Answer is what came of one request.
type Answer struct {
	*mcp.Exchange
	Problems []string // what is wrong with the result itself

	saved  *saver
	advice string
}

// Advice is what to try where what was asked for may be wrong.
func (a *Answer) Advice() string { return a.advice }

// advise keeps what to try where the server's error says that what was asked for may be wrong.
func (a *Answer) advise(try string) *Answer {
	if a != nil && (a.Reply.Error.Code == mcp.CodeInvalidParams || a.Reply.Error.Code == codeNoResource) {
		a.advice = try
	}
	return a
}

// RawJSON is the server's own result or error.
func (a *Answer) RawJSON() []byte {
	if a.Reply.Error != nil {
		return rawError(a.Exchange)
	}
	return a.Reply.Result
}

// Failed reports whether the server answered with an error, the result cannot be used, or it could not be saved.
func (a *Answer) Failed() bool { return a.refused() || len(a.Problems) > 0 || a.saved.err != nil }

// refused reports whether the server answered with an error.
func (a *Answer) refused() bool { return a.Reply.Error != nil }

// Remarks tells what is wrong with the result, and where its content was saved.
func (a *Answer) Remarks() []string {
	var all []string
	for _, problem := range a.Problems {
		all = append(all, "✗ "+problem)
	}
	return append(all, a.saved.remarks()...)
}

// problem adds to what is wrong with the result.
func (a *Answer) problem(format string, args ...any) {
	a.Problems = append(a.Problems, fmt.Sprintf(format, args...))
}

// writeProblems shows what is wrong with the result.
func (a *Answer) writeProblems(t *text) {
	for _, problem := range a.Problems {
		t.line(t.bad("✗ %s", problem))
	}
	if a.saved.err != nil {
		t.line(t.bad("✗ %v", a.saved.err))
	}
}

// ResourcesRead reads a resource.
var ResourcesRead = Op[ReadInput, *Answer]{
	Name: "resources read", Doc: "Read a resource", Surfaces: Page | Assistant,
	Example: "mcptest resources read demo://planets demo",
	Run: func(ctx context.Context, w *Workbench, in *ReadInput) (*Answer, error) {
		a, err := w.ask(ctx, &in.Connection, in.Save, mcp.Request{Method: "resources/read", Params: mcp.Object("uri", in.URI)})
		if err != nil || a.refused() {
			return a.advise("mcptest resources list and mcptest resources templates show what can be read"), err
		}
		items, err := elementsAt(a.Reply.Result, "/contents")
		if err != nil || len(items) == 0 {
			a.problem("the result has no contents")
		}
		for _, item := range items {
			a.saved.resource(item)
		}
		return a, nil
	},
	Text: func(out io.Writer, a *Answer) error {
		t := newText(out)
		if a.refused() {
			writeRPCError(t, a.Reply.Error)
			return t.err
		}
		items, _ := elementsAt(a.Reply.Result, "/contents")
		for _, item := range items {
			writeResource(t, item, a.saved)
		}
		a.writeProblems(t)
		return t.err
	},
}

// ask opens a session for one request.
func (w *Workbench) ask(ctx context.Context, c *Connection, save string, r mcp.Request) (*Answer, error) {
	saved, err := w.newSaver(save)
	if err != nil {
		return nil, err
	}
	s, err := w.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	ex, err := s.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Answer{Exchange: ex, saved: saved}, nil
}

// elementsAt is the list at a pointer.
func elementsAt(doc json.RawMessage, pointer string) ([]json.RawMessage, error) {
	raw, _ := schema.Get(doc, pointer)
	return schema.Elements(raw)
}
