package fuzz

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// frameKind is the kind of a step that is a frame rather than a call.
const frameKind cases.Kind = "frame"

// A frameCase is a malformed frame.
type frameCase struct{ description, body string }

// frameCases are frames that a server must survive. Those that end inside a message or contain line breaks apply to
// stdio and HTTP alike: a transport sends them unchanged.
func frameCases() []frameCase {
	call := `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list"}`
	return []frameCase{
		{"an empty line", ""},
		{"white space", "   \t "},
		{"text that is not JSON", "hello"},
		{"a truncated message", call[:len(call)/2]},
		{"two messages in one frame", call + call},
		{"JSON that is not an object", "42"},
		{"a string", `"tools/list"`},
		{"null", "null"},
		{"an empty batch", "[]"},
		{"a batch", "[" + call + "," + strings.Replace(call, `"fuzz"`, `"fuzz2"`, 1) + "]"},
		{"a batch of invalid items", `[1,null,{},"x"]`},
		{"an empty object", "{}"},
		{"a message without a version", `{"id":"fuzz","method":"tools/list"}`},
		{"an unknown version", `{"jsonrpc":"1.0","id":"fuzz","method":"tools/list"}`},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`},
		{"an id that is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`},
		{"an id that is huge", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"tools/list"}`},
		{"an id that is a very long string", `{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 100_000) +
			`","method":"tools/list"}`},
		{"a method that is a number", `{"jsonrpc":"2.0","id":"fuzz","method":7}`},
		{"an unknown method", `{"jsonrpc":"2.0","id":"fuzz","method":"no/such/method"}`},
		{"an empty method", `{"jsonrpc":"2.0","id":"fuzz","method":""}`},
		{"params that are an array", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list","params":[]}`},
		{"params that are a string", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/call","params":"x"}`},
		{"params that are null", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/call","params":null}`},
		{"a call without a name", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/call","params":{}}`},
		{"a call with arguments that are an array",
			`{"jsonrpc":"2.0","id":"fuzz","method":"tools/call","params":{"name":"x","arguments":[]}}`},
		{"a cursor that is a number", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list","params":{"cursor":1}}`},
		{"a progress token that is an object", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list",` +
			`"params":{"_meta":{"progressToken":{}}}}`},
		{"an unsolicited result", `{"jsonrpc":"2.0","id":"nobody","result":{}}`},
		{"an unsolicited error", `{"jsonrpc":"2.0","id":"nobody","error":{"code":1,"message":"x"}}`},
		{"a message with both result and error", `{"jsonrpc":"2.0","id":"nobody","result":{},"error":{"code":1,` +
			`"message":"x"}}`},
		{"a cancellation of an unknown request", `{"jsonrpc":"2.0","method":"notifications/cancelled",` +
			`"params":{"requestId":"nobody"}}`},
		{"a cancellation without an id", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/no/such"}`},
		{"a duplicate member", `{"jsonrpc":"2.0","id":"fuzz","id":"fuzz","method":"ping","method":"tools/list"}`},
		{"bytes that are not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"fuzz\",\"method\":\"\xff\xfe\"}"},
		{"a lone surrogate", `{"jsonrpc":"2.0","id":"fuzz","method":"\ud800"}`},
		{"a byte order mark", "\ufeff" + call},
		{"a NUL byte", "{\"jsonrpc\":\"2.0\",\x00\"id\":\"fuzz\",\"method\":\"tools/list\"}"},
		{"deep nesting", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list","params":` +
			strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + "}"},
		{"deeply nested arrays", strings.Repeat("[", 20_000)},
		{"a large message", `{"jsonrpc":"2.0","id":"fuzz","method":"tools/list","params":{"x":"` +
			strings.Repeat("x", 1<<20) + `"}}`},
		{"a number that is NaN", `{"jsonrpc":"2.0","id":NaN,"method":"tools/list"}`},
	}
}

// A malformedInput is an input that a server must survive.
type malformedInput struct {
	description string
	display     json.RawMessage
	do          func(ctx context.Context, s *mcp.Session)
}

// disturbances are the frames, and over HTTP also malformed headers and bodies.
func (r *runner) disturbances() []malformedInput {
	var all []malformedInput
	for _, c := range frameCases() {
		all = append(all, malformedInput{c.description, displayFrame(c.body),
			func(ctx context.Context, s *mcp.Session) {
				_, _ = s.CallRaw(ctx, nil, []byte(c.body), nil) // the outcome does not matter
			}})
	}
	if overHTTP(r.session) {
		all = append(all, httpDisturbances(r.session.Version)...)
	}
	return all
}

func overHTTP(s *mcp.Session) bool { return s.Target().Transport() == wire.StreamableHTTP }

// wire sends each disturbance in turn and runs a health check after it.
func (r *runner) wire(ctx context.Context) {
	if r.session == nil && r.fresh(ctx) != nil {
		return
	}
	for _, d := range r.disturbances() {
		if ctx.Err() != nil || r.over() || r.failures.enough() || r.done >= r.opts.Cases {
			return
		}
		if r.session.Err() != nil && r.fresh(ctx) != nil {
			return
		}
		r.done++
		r.progress("frames: " + d.description)
		if r.survives(ctx, d) {
			continue
		}
		r.failures.silent++
		f := r.fallen(d)
		f.Repeats = r.fresh(ctx) == nil && !r.survives(ctx, d)
		key := f.Rule.ID + "\x00" + d.description
		r.found[key] = f
		r.order = append(r.order, key)
		if r.fresh(ctx) != nil {
			return
		}
	}
}

// fallen is the defect of a server that did not survive.
func (r *runner) fallen(d malformedInput) *Found {
	rule := ruleOf("FUZZ-012")
	return &Found{Rule: rule, Severity: rule.Severity, Times: 1, Cases: r.done, After: r.searched(),
		Breach: unresponsiveViolation(d.description).message, Stderr: r.stderr(),
		Steps: []Step{{Case: cases.Case{Kind: frameKind, Description: d.description, Arguments: d.display}}}}
}

func unresponsiveViolation(says string) *violation {
	return &violation{cause: says, message: "after " + says + ": server stopped responding"}
}

// replayFrame sends the disturbance of a step.
func (r *runner) replayFrame(ctx context.Context, step Step) []replayResult {
	for _, d := range r.disturbances() {
		if d.description == step.Description && !r.survives(ctx, d) && ctx.Err() == nil {
			return []replayResult{{rule: ruleOf("FUZZ-012"), breach: unresponsiveViolation(d.description)}}
		}
	}
	return nil
}

// displayFrame is a frame as a JSON string, truncated if it is long.
func displayFrame(body string) json.RawMessage { return rawjson.Quote(clip.Sized(body, maxDisplayed)) }

// survives sends a disturbance and runs a health check. Over HTTP the session may be lost: then it must be possible to
// open a new one.
func (r *runner) survives(ctx context.Context, d malformedInput) bool {
	limited, cancel := context.WithTimeout(ctx, r.opts.Hang)
	defer cancel()
	r.unused = false
	d.do(limited, r.session)
	if r.healthy(ctx) || ctx.Err() != nil {
		return true
	}
	return overHTTP(r.session) && r.fresh(ctx) == nil && r.healthy(ctx)
}
