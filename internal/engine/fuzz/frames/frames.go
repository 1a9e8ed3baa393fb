// Package frames lists malformed inputs that a server must survive: frames, and over HTTP also headers and bodies.
package frames

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// maxDisplayed is the maximum length of a frame or header in a message.
const maxDisplayed = 400

// A Malformed is an input that a server must survive.
type Malformed struct {
	Description string
	Display     json.RawMessage
	Do          func(ctx context.Context, s *mcp.Session)
}

// All lists the frames, and if a server is tested over HTTP, also malformed headers and bodies.
func All(version string, http bool) []Malformed {
	var all []Malformed
	for _, c := range frameCases() {
		all = append(all, Malformed{c.description, displayFrame(c.body),
			func(ctx context.Context, s *mcp.Session) {
				_, _ = s.CallRaw(ctx, nil, []byte(c.body), nil) // the outcome does not matter
			}})
	}
	if http {
		all = append(all, overHTTP(version)...)
	}
	return all
}

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

// displayFrame is a frame as a JSON string, truncated if it is long.
func displayFrame(body string) json.RawMessage { return rawjson.Quote(clip.Sized(body, maxDisplayed)) }
