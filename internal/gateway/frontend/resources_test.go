package frontend

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Resources, prompts and completions find their servers, by the names that clients see and by those that results have.
func TestResourcesAndPrompts(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"d": {Serve: builtin(t)}, "e": {Serve: builtin(t)}})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		eventually(t, "the resources", func() bool {
			list, err := s.List(t.Context(), "resources/list")
			_, ok := list.Find("demo://note#gateway=e")
			return err == nil && ok
		})
		for _, step := range []struct{ method, params, want string }{
			{"resources/read", `{"uri":"demo://note#gateway=e"}`, `"uri":"demo://note#gateway=e"`},
			{"resources/read", `{"uri":"demo://note"}`, "demo://note#gateway=d, demo://note#gateway=e"},
			{"resources/read", `{"uri":"demo://note#gateway=x"}`, "not found"},
			{"prompts/get", `{"name":"d__greet","arguments":{"name":"Ada"}}`, "Ada"},
			{"prompts/get", `{"name":"greet"}`, "Unknown prompt"},
		} {
			ex, err := s.Call(t.Context(), step.method, json.RawMessage(step.params))
			if err != nil {
				t.Fatal(err)
			}
			got := string(ex.Reply.Result)
			if ex.Reply.Error != nil {
				got = ex.Reply.Error.Message
			}
			if !strings.Contains(got, step.want) {
				t.Errorf("%s: %s(%s) = %s, want %s", protocol, step.method, step.params, got, step.want)
			}
		}
		sub, err := s.Listen(t.Context(), mcp.Filter{URIs: []string{"demo://note#gateway=d"}})
		if err != nil {
			t.Fatal(err)
		}
		call(t, s, "e__write_note", `{"text":"other"}`)
		call(t, s, "d__write_note", `{"text":"`+protocol+`"}`)
		ctx, cancel := context.WithTimeout(t.Context(), hang)
		m, ok, err := sub.Next(ctx)
		if !ok || err != nil || !strings.Contains(string(m.Params), `"demo://note#gateway=d"`) {
			t.Errorf("%s: heard %s (%v), want an update of demo://note#gateway=d", protocol, m.Params, err)
		}
		cancel()
		sub.Close()
	}
}

func builtin(t *testing.T) func(context.Context, io.Reader, io.Writer) error {
	t.Helper()
	s, ok := demo.Lookup("demo")
	if !ok {
		t.Fatal("there is no demo")
	}
	return s.Serve
}
