package demo

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

const guideDoc = `One tool for each row of the Tool Testing Guide; echoes the exact bytes of the arguments.

Each tool returns one text block: the bytes of params.arguments unchanged, or "(no arguments)" if the request had
none. Nothing is validated, so the response shows exactly what the client sent.`

// A GuideRow is one row of the Tool Testing Guide, and its tool in demo-guide.
type GuideRow struct {
	Tool   string          // the tool's name
	Table  string          // the table of the guide, or "Optional Parameters" for the rules in prose; empty for extras
	Row    string          // the row's first cell
	Schema json.RawMessage // the tool's inputSchema
}

// noArguments is the echo of a call without arguments.
const noArguments = "(no arguments)"

func newGuide() *rawServer {
	s := &rawServer{
		info:         `{"name":"demo-guide","title":"Tool Testing Guide","version":"1.0.0"}`,
		instructions: "Every tool echoes the exact bytes of its arguments. Nothing is validated.",
	}
	for _, row := range append(GuideRows(), GuideExtras()...) {
		s.tools = append(s.tools, rawTool{name: row.Tool, definition: row.definition(), call: echoArguments})
	}
	return s
}

func (r GuideRow) definition() string {
	what := "Row " + r.Row + " of the table " + r.Table + "."
	if r.Table == "" {
		what = "Not in the guide: " + r.Row + "."
	}
	return string(serve.Encode(struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations json.RawMessage `json:"annotations"`
	}{r.Tool, what + " Echoes the arguments unchanged.", r.Schema,
		json.RawMessage(`{"readOnlyHint":true,"idempotentHint":true,"destructiveHint":false,"openWorldHint":false}`)}))
}

func echoArguments(_ context.Context, c *rawCall) (string, *serve.Error) {
	if c.arguments == nil {
		return textResult(noArguments), nil
	}
	return textResult(string(c.arguments)), nil
}

func serveGuide(ctx context.Context, in io.Reader, out io.Writer) error {
	return newGuide().serve(ctx, in, out)
}

func guideHandler() (http.Handler, func()) { return newGuide().handler() }
