package driver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/leaktest"
	lines "github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// A client is one of a driver.
type client struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
}

func newClient(t *testing.T) *client {
	t.Helper()
	builtins := target.Builtins{}
	for _, s := range demo.All() {
		builtins[s.Name] = s.Serve
	}
	var system target.System
	system.Lookup = func(string) (string, bool) { return "", false }
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	w := &workbench.Workbench{Version: "1", System: system, Builtins: builtins, Grants: workbench.CommandLine,
		Secrets: redact.New(), In: stdin, Out: stdout, Err: t.Output()}
	c := &client{t, in, bufio.NewReader(out), make(chan error, 1)}
	go func() {
		_, err := Serve.Run(context.Background(), w, &Input{})
		stdout.Close()
		c.done <- err
	}()
	t.Cleanup(func() { in.Close(); _, _ = io.Copy(io.Discard, c.out) })
	c.send(`{"jsonrpc":"2.0","id":"hello","method":"hello","params":{"protocol":1}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":"start","method":"start","params":{"name":"s","server":"demo"}}`)
	c.receive()
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// An answer is a response of the driver.
type answer struct {
	ID     json.RawMessage
	Result *Verdict
	Error  *Error
	text   string
}

func (c *client) receive() answer {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	a := answer{text: line}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		c.t.Fatalf("%v: %s", err, line)
	}
	return a
}

// call sends a request and returns the response to it.
func (c *client) call(method, params string) answer {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	return c.receive()
}

func TestAssert(t *testing.T) {
	c := newClient(t)
	first := c.call("call", `{"server":"s","tool":"add","args":{"a":1,"b":2}}`)
	if first.Result == nil || first.Result.Status != "passed" || first.Result.Response.ID != 1 {
		t.Fatal(first.text)
	}
	got := c.call("assert", `{"server":"s","response":1,"expect":{"exact":{"sum":4}}}`)
	if got.Result == nil || got.Result.Status != "failed" || !strings.HasPrefix(got.Result.Message,
		"result.structuredContent: expectation failed\ngot:  3 at /sum\nwant: 4\ncall: tools/call on s with") ||
		!strings.Contains(got.Result.Message, " received: ") {
		t.Error(got.text)
	}
	if got := c.call("assert", `{"server":"s","response":1,"expect":{"exact":{"sum":3}}}`); got.Result.Status != "passed" {
		t.Error(got.text)
	}
	frames := c.call("frames", `{"server":"s"}`)
	if !strings.Contains(frames.text, `"from":"client","body":"{\"jsonrpc\"`) ||
		!strings.Contains(frames.text, `"from":"server"`) {
		t.Error(frames.text)
	}
	for range maxResponses {
		c.call("call", `{"server":"s","tool":"echo","args":{"message":"x"}}`)
	}
	old := c.call("assert", `{"server":"s","response":1}`)
	if old.Error == nil || old.Error.Message != "response 1 is no longer stored: only the last 100 are" {
		t.Error(old.text)
	}
}

const waits = `{"jsonrpc":"2.0","id":"w","method":"call","params":{"server":"s","tool":"wait","args":{"milliseconds":5000}}}`

func TestCancel(t *testing.T) {
	c := newClient(t)
	start := time.Now()
	c.send(waits)
	c.send(`{"jsonrpc":"2.0","method":"cancel","params":{"id":"w"}}`)
	for { // cancel has no effect before the request is dispatched
		c.send(`{"jsonrpc":"2.0","method":"cancel","params":{"id":"w"}}`)
		if got := c.call("list", `{"server":"s"}`); string(got.ID) == `"w"` {
			if got.Error == nil || got.Error.Code != codeCancelled {
				t.Error(got.text)
			}
			break
		}
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("the call ended after %v", took)
	}
}

// When stdin ends, a call in flight is stopped, and the driver ends.
func TestStdinEnds(t *testing.T) {
	c := newClient(t)
	c.send(waits)
	start := time.Now()
	c.in.Close()
	got := c.receive()
	if err := <-c.done; err != nil {
		t.Error(err)
	}
	if got.Error == nil || got.Error.Code != codeCancelled || time.Since(start) > 4*time.Second {
		t.Errorf("after %v: %s", time.Since(start), got.text)
	}
}

func TestMessageTooLong(t *testing.T) {
	c := newClient(t)
	go func() { // the response arrives before the end of the line
		_, _ = io.WriteString(c.in, `{"jsonrpc":"2.0","id":9,"method":"`+strings.Repeat("x", lines.MaxMessage)+"\"}\n")
	}()
	got := c.receive()
	if got.Error == nil || got.Error.Code != codeInvalid || !strings.Contains(got.Error.Message, "too long") {
		t.Error(got.text)
	}
	if got := c.call("call", `{"server":"s","tool":"echo","args":{"message":"x"}}`); got.Result.Status != "passed" {
		t.Error(got.text)
	}
}

// A response that does not fit into a message is omitted, with its size.
func TestLargeResponse(t *testing.T) {
	r := &Response{Result: json.RawMessage(`"` + strings.Repeat("x", lines.MaxMessage) + `"`), Text: "short"}
	if r.limit(); r.Result != nil || r.Omitted != fmt.Sprintf("result (%d bytes)", lines.MaxMessage+2) || r.Text == "" {
		t.Errorf("got %d bytes, %q, %q", len(r.Result), r.Omitted, r.Text)
	}
}

// The schema has each method, accepts what clients send, and rejects what the driver rejects.
func TestSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err == nil {
		err = compiler.AddResource("driver.json", document)
	}
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("driver.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{
		waits: true,
		`{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}}`:               true,
		`{"jsonrpc":"2.0","method":"cancel","params":{"id":7}}`:                           true,
		`{"jsonrpc":"2.0","id":1,"method":"suite/run","params":{"suite":"s","test":"t"}}`: true,
		`{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":"1"}}`:             false,
		`{"jsonrpc":"2.0","id":1,"method":"call","params":{"server":"s","tol":"x"}}`:      false,
		`{"jsonrpc":"2.0","id":1,"method":"nothing"}`:                                     false,
		`{"jsonrpc":"2.0","method":"hello"}`:                                              false,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); (err == nil) != valid {
			t.Errorf("%s: expected valid %v, got %v", text, valid, err)
		}
	}
	var s struct {
		OneOf   []json.RawMessage `json:"oneOf"`
		Results map[string]any    `json:"x-results"`
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.OneOf) != len(methods())+1 || len(s.Results) != len(methods()) {
		t.Errorf("%d requests, %d results for %d methods", len(s.OneOf), len(s.Results), len(methods()))
	}
	for _, m := range Methods() {
		for _, f := range append(m.Params, m.Result...) {
			if f.Name == "" || f.Type == "" || f.Doc == "" {
				t.Errorf("%s: %+v is not documented", m.Name, f)
			}
		}
	}
}
