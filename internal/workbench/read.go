package workbench

import (
	"context"
	"io"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A ReadInput asks for a resource.
type ReadInput struct {
	URI string `json:"uri" cli:"arg" jsonschema:"the resource to read"`
	Connection
	Save string `json:"save,omitempty" placeholder:"DIR" jsonschema:"keep binary content as files there"`
}

// An Answer is what came of one request.
type Answer struct {
	*mcp.Exchange
	saved *saver
}

// RawJSON is the server's own result or error.
func (a *Answer) RawJSON() []byte {
	if a.Reply.Error != nil {
		return rawError(a.Exchange)
	}
	return a.Reply.Result
}

// Failed reports whether the server answered with an error.
func (a *Answer) Failed() bool { return a.Reply.Error != nil }

// ResourcesRead reads a resource.
var ResourcesRead = Op[ReadInput, *Answer]{
	Name: "resources read", Doc: "Read a resource", Surfaces: Page | Assistant,
	Run: func(ctx context.Context, w *Workbench, in *ReadInput) (*Answer, error) {
		return w.ask(ctx, &in.Connection, in.Save, mcp.Request{Method: "resources/read", Params: mcp.Object("uri", in.URI)})
	},
	Text: func(out io.Writer, a *Answer) error {
		t := newText(out)
		if a.Failed() {
			writeRPCError(t, a.Reply.Error)
			return t.err
		}
		contents, _ := schema.Get(a.Reply.Result, "/contents")
		items, err := schema.Elements(contents)
		if err != nil || len(items) == 0 {
			t.line(t.bad("✗ the result has no contents"))
		}
		for _, item := range items {
			writeResource(t, item, a.saved)
		}
		return firstError(t.err, a.saved.err)
	},
}

// ask opens a session for one request.
func (w *Workbench) ask(ctx context.Context, c *Connection, save string, r mcp.Request) (*Answer, error) {
	saved, err := newSaver(save)
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

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
