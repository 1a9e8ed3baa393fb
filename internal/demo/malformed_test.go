package demo

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// TestMalformedLines sends a bad line to every server in every state, wants the right error for it, and wants the
// next request answered.
func TestMalformedLines(t *testing.T) {
	lines := []struct {
		name, line string
		code       int
		id         string
	}{
		{"not JSON", `hello`, serve.CodeParse, "null"},
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":"ping"`, serve.CodeParse, "null"},
		{"trailing garbage", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, serve.CodeParse, "null"},
		{"two messages", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`,
			serve.CodeParse, "null"},
		{"bad UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", serve.CodeParse, "null"},
		{"byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, serve.CodeParse, "null"},
		{"NUL", "\x00", serve.CodeParse, "null"},
		{"too deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), serve.CodeParse, "null"},
		{"a number", `7`, serve.CodeInvalidRequest, "null"},
		{"null", `null`, serve.CodeInvalidRequest, "null"},
		{"a string", `"ping"`, serve.CodeInvalidRequest, "null"},
		{"empty object", `{}`, serve.CodeInvalidRequest, "null"},
		{"no jsonrpc", `{"id":1,"method":"ping"}`, serve.CodeInvalidRequest, "1"},
		{"wrong jsonrpc", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, serve.CodeInvalidRequest, `"a"`},
		{"number for jsonrpc", `{"jsonrpc":2.0,"id":"a","method":"ping"}`, serve.CodeInvalidRequest, `"a"`},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, serve.CodeInvalidRequest, "null"},
		{"id object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, serve.CodeInvalidRequest, "null"},
		{"id fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, serve.CodeInvalidRequest, "null"},
		{"id bool", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, serve.CodeInvalidRequest, "null"},
		{"method number", `{"jsonrpc":"2.0","id":3,"method":5}`, serve.CodeInvalidRequest, "3"},
		{"method null", `{"jsonrpc":"2.0","id":3,"method":null}`, serve.CodeInvalidRequest, "3"},
		{"names in capitals", `{"JSONRPC":"2.0","ID":3,"METHOD":"ping"}`, serve.CodeInvalidRequest, "null"},
		{"method and result", `{"jsonrpc":"2.0","id":3,"method":"ping","result":{}}`, serve.CodeInvalidRequest, "3"},
		{"result and error", `{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1,"message":""}}`,
			serve.CodeInvalidRequest, "3"},
		{"neither", `{"jsonrpc":"2.0","id":3}`, serve.CodeInvalidRequest, "3"},
		{"params array", `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}`, serve.CodeInvalidParams, "3"},
		{"params null", `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":null}`, serve.CodeInvalidParams, "3"},
		{"params string", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":"x"}`, serve.CodeInvalidParams, "3"},
		{"empty batch", `[]`, serve.CodeInvalidRequest, "null"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, serve.CodeInvalidRequest, "null"},
		{"broken batch", `[{"jsonrpc":"2.0"`, serve.CodeParse, "null"},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", serve.MaxMessage) + `"}`,
			serve.CodeInvalidRequest, "null"},
	}
	for _, server := range All() {
		for _, state := range []string{"fresh", "legacy", "modern"} {
			t.Run(server.Name+"/"+state, func(t *testing.T) {
				w := dial(t, server.Name)
				switch state {
				case "legacy":
					w.open(spec.November2025)
				case "modern":
					w.ask(modernRequest("0", "server/discover", "", "{}"))
				}
				for _, l := range lines {
					got := w.ask(l.line)
					if got.code() != l.code || string(got.ID) != l.id {
						t.Errorf("%s: answer %.200s; want error %d with id %s", l.name, got.raw, l.code, l.id)
					}
				}
				if got := w.ask(`{"jsonrpc":"2.0","id":"still","method":"ping"}`); string(got.Result) != "{}" {
					t.Errorf("ping after all = %s; want an empty result", got.raw)
				}
			})
		}
	}
}

func TestSilentLines(t *testing.T) {
	for _, server := range All() {
		t.Run(server.Name, func(t *testing.T) {
			w := dial(t, server.Name)
			w.open(spec.November2025)
			for _, line := range []string{
				"", "  ", "\r",
				`{"jsonrpc":"2.0","method":"notifications/unheard_of"}`,
				`{"jsonrpc":"2.0","method":"tools/list"}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`,
				`{"jsonrpc":"2.0","id":99,"result":{}}`,
				`{"jsonrpc":"2.0","id":"99","error":{"code":-1,"message":"no"}}`,
			} {
				w.send(line)
			}
			if got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r"); string(got.ID) != "1" ||
				got.code() != 0 {
				t.Errorf("first answer = %s; want that of ping", got.raw)
			}
		})
	}
}
