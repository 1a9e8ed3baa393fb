package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// A tool is one tool of the server. Run returns its result; an error becomes an error result.
type tool struct {
	name, doc     string
	input, output string // JSON Schemas; output is empty if callers rely on no field
	changes       bool   // a call can change something: a connection, or the state of the server under test
	open          bool   // a call reaches a server of a third party
	quoting       bool   // results contain text of a server under test, although it uses no connection
	run           func(ctx context.Context, c *call) (any, error)
}

// A call is one call of a tool.
type call struct {
	*Server
	request   *sdk.CallToolRequest
	arguments json.RawMessage
	began     time.Time
	link      *connections.Link // the connection of the call, once it is known
	quotes    bool              // the result can contain text of a server under test
	mark      int               // the last frame before the call
	stderr    string            // of the server, before the call
	problems  []problem         // of the response
	unasked   bool              // the host declares elicitation, but failed to ask its user
	answers   map[string]string // what the user granted in this call, by ID, and for how long
}

// quotes reports whether results of the tool can contain text of a server under test: whether it works on a connection.
func (t tool) quotes() bool {
	_, connected := schema.Get(json.RawMessage(t.input), "/properties/connection")
	return t.open || connected || t.quoting
}

func (s *Server) add(t tool) {
	if t.quotes() {
		t.doc += dataNote
	}
	declared := &sdk.Tool{Name: t.name, Description: t.doc, InputSchema: json.RawMessage(t.input),
		OutputSchema: json.RawMessage(cmp.Or(t.output, `{"type":"object"}`)), Annotations: annotations(t)}
	valid := sync.OnceValue(func() *schema.Schema { return mustCompile(t.input) })
	s.sdk.AddTool(declared, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := &call{Server: s, request: req, began: time.Now(), quotes: t.quotes()}
		out, err := c.run(ctx, t, valid())
		if ctx.Err() != nil {
			return nil, context.Cause(ctx) // the caller no longer waits for the result
		}
		for r := c.question(err); r != nil; r = c.question(err) {
			var question *sdk.CallToolResult
			if question, out, err = c.requestPermission(ctx, r, func() (any,
				error) {
				return c.run(ctx, t, valid())
			}); question != nil {
				return question, nil
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
		if err != nil {
			return c.result(c.errorEnvelope(failed(err)), true), nil
		}
		return c.result(out, false), nil
	})
}

// annotations returns the hints of a tool. The optional ones are those that differ from the defaults of the protocol.
func annotations(t tool) *sdk.ToolAnnotations {
	no := false
	hints := &sdk.ToolAnnotations{ReadOnlyHint: !t.changes}
	if t.changes && !t.open {
		hints.DestructiveHint = &no
	}
	if !t.open {
		hints.OpenWorldHint = &no
	}
	return hints
}

func mustCompile(raw string) *schema.Schema {
	compiled, err := schema.Compile(json.RawMessage(raw), nil)
	if err != nil {
		panic(fmt.Errorf("schema %s: %w", raw, err)) // our own schemas compile
	}
	return compiled
}

// run validates the arguments and runs the tool. A panic is an internal error, and must not end the server.
func (c *call) run(ctx context.Context, t tool, valid *schema.Schema) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &failure{Type: executionError, Message: fmt.Sprintf("internal error in mcptest: %v", p),
				Details: details{"stack": string(debug.Stack())}}
		}
	}()
	c.arguments = normalizeArguments(c.request.Params.Arguments, json.RawMessage(t.input))
	if wrong := valid.Validate(c.arguments); len(wrong) > 0 {
		// so that the result names it; without one there is nothing to name
		_, _ = c.on(schema.TextAt(c.arguments, "/connection"))
		return nil, &failure{Type: invalidArguments,
			Message: "the arguments do not match the input schema of " + t.name + ": " + wrong[0].Message,
			Details: details{"violations": wrong}, Suggestion: "correct the arguments and call " + t.name + " again"}
	}
	if ctx, err = c.permissionResponse(ctx); err != nil {
		return nil, err
	}
	if c.canAsk() {
		ctx = connections.WithQuestions(ctx)
	}
	return t.run(ctx, c)
}

// normalizeArguments normalizes arguments from hosts: null for omitted values, and objects or arrays encoded as a
// string.
func normalizeArguments(given, input json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(given)) == 0 || string(given) == "null" {
		return json.RawMessage(`{}`)
	}
	members, err := schema.Members(given)
	if err != nil {
		return given
	}
	var kept []any
	for _, m := range members {
		property, _ := schema.Get(input, "/properties/"+schema.Token(m.Name))
		if schema.Kind(m.Value) == 'n' && property != nil {
			continue
		}
		kept = append(kept, m.Name, unquoted(m.Value, schema.TextAt(property, "/type")))
	}
	return mcp.Object(kept...)
}

// unquoted returns the object or array encoded in a string, if the schema requires one.
func unquoted(value json.RawMessage, want string) json.RawMessage {
	inner, ok := schema.Text(value)
	first := map[string]byte{"object": '{', "array": '['}[want]
	if !ok || first == 0 || !json.Valid([]byte(inner)) || bytes.TrimSpace([]byte(inner))[0] != first {
		return value
	}
	return json.RawMessage(inner)
}

// decode decodes the arguments, which are valid for the schema.
func decode[T any](c *call) T {
	var v T
	if err := json.Unmarshal(c.arguments, &v); err != nil {
		panic(err) // the schema and the type disagree
	}
	return v
}

// on finds the connection of the call.
func (c *call) on(name string) (*connections.Link, error) {
	l, err := c.desk.Link(name)
	if err != nil {
		return nil, err
	}
	if c.link != l {
		c.link = l
		c.observe()
	}
	return l, nil
}

// elapsed returns the time since the call started, in milliseconds.
func (c *call) elapsed() int64 { return time.Since(c.began).Milliseconds() }

// progress forwards the progress of the server under test, if the caller requested it.
func (c *call) progress(ctx context.Context) func(mcp.Progress) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return func(p mcp.Progress) {
		_ = c.request.Session.NotifyProgress(ctx,
			&sdk.ProgressNotificationParams{ProgressToken: token, Progress: p.Done, Total: p.Total,
				Message: c.desk.Scrub(p.Message)})
	}
}

// result returns the result as structured content, and the same as text.
func (c *call) result(out any, isError bool) *sdk.CallToolResult {
	encoded := scrub(withProblems(serve.Encode(out), c.observed()), c.desk.Scrub)
	if len(encoded) > 2*maxResponseBytes {
		tooLarge := &failure{Type: executionError,
			Message: fmt.Sprintf("the response would have %d bytes, which exceeds the limit of clients",
				len(encoded)),
			Details:    details{"bytes": len(encoded)},
			Suggestion: "use get_frame to read frames in parts, or offset and limit to read lists in parts"}
		encoded, isError = serve.Encode(c.errorEnvelope(tooLarge)), true
	}
	if c.quotes {
		encoded = markServerText(encoded)
	}
	return &sdk.CallToolResult{IsError: isError, StructuredContent: json.RawMessage(encoded),
		Content: []sdk.Content{&sdk.TextContent{Text: string(encoded)}}}
}

// scrub removes secrets from JSON. If a secret is a number, all values are checked one by one.
func scrub(encoded []byte, clean func(string) string) []byte {
	cleaned := clean(string(encoded))
	if json.Valid([]byte(cleaned)) {
		return []byte(cleaned)
	}
	var out bytes.Buffer
	dec := jsontext.NewDecoder(bytes.NewReader(encoded), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	enc := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return bytes.TrimSpace(out.Bytes())
		}
		switch token.Kind() {
		case '"':
			token = jsontext.String(clean(token.String()))
		case '0':
			if clean(token.String()) != token.String() {
				token = jsontext.String(redact.Placeholder)
			}
		}
		_ = enc.WriteToken(token) // to memory, and it was valid before
	}
}
