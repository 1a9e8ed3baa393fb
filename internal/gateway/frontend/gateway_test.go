package frontend

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func echoing(c *toyCall) string {
	return `{"content":[],"structuredContent":` + string(c.arguments) + `}`
}

// What servers list and return passes as the bytes that it was, but for the names, in both eras.
func TestPassesBytes(t *testing.T) {
	r := newRig(t, All, nil,
		map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": echoing}})})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		list, err := s.List(t.Context(), "tools/list")
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"name":"a__echo","vendor":[1.0,9007199254740993],"inputSchema":{"type":"object"}}`; len(list.Items) != 1 || string(list.Items[0].Raw) != want {
			t.Errorf("%s: listed %s, want %s", protocol, list.Result(), want)
		}
		want := `{"content":[],"structuredContent":{"b":1.0,"a":9007199254740993,"t":"<\u0041>"}`
		if got := call(t, s, "a__echo", `{"b":1.0,"a":9007199254740993,"t":"<\u0041>"}`); !strings.HasPrefix(got,
			want) {
			t.Errorf("%s: got %s, want %s", protocol, got, want)
		}
	}
}

// A dead and a slow server neither hide nor delay the others; when one goes, its tools stay, marked.
func TestOthersAreNotHidden(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	stop := make(chan struct{})
	mortal := &toy{tools: map[string]func(*toyCall) string{"echo": echoing}}
	var lives atomic.Int64
	r := newRig(t, All, nil, map[string]wire.Target{
		"good": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": echoing}}),
		"dead": {Command: []string{"/nonexistent/server"}},
		"slow": {Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			select {
			case <-hang:
			case <-ctx.Done():
			}
			return nil
		}},
		"mortal": {Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
			if lives.Add(1) > 2 { // the probe and one life
				return fmt.Errorf("dead for good")
			}
			ctx, cancel := context.WithCancel(ctx)
			go func() {
				select {
				case <-stop:
				case <-ctx.Done():
				}
				cancel()
			}()
			done := make(chan error, 1)
			go func() { done <- mortal.serve(ctx, in, out) }()
			select {
			case <-ctx.Done():
				return fmt.Errorf("stopped")
			case err := <-done:
				return err
			}
		}},
	})
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	eventually(t, "the tools of two servers", func() bool {
		return slices.Equal(names(t, s),
			[]string{"good__echo", "mortal__echo"})
	})
	quickest := time.Hour
	for range 10 {
		start := time.Now()
		names(t, s)
		quickest = min(quickest, time.Since(start))
	}
	if quickest > 200*time.Millisecond {
		t.Errorf("a list took %v, want no wait for the slow one", quickest)
	}
	close(stop)
	eventually(t, "the mark", func() bool {
		list, err := s.List(t.Context(), "tools/list")
		if err != nil {
			t.Fatal(err)
		}
		item, ok := list.Find("mortal__echo")
		return ok && strings.Contains(string(item.Raw), `"_meta":{"mcptest.dev/stale":true}`)
	})
	if got := call(t, s, "mortal__echo", `{}`); !strings.Contains(got, "UpstreamError") ||
		!strings.Contains(got, "mortal") {
		t.Errorf("a call of a dead server: %s, want an UpstreamError that names it", got)
	}
	if got := call(t, s, "good__echo", `{"x":1}`); !strings.Contains(got, `{"x":1}`) {
		t.Errorf("the good server: %s", got)
	}
}

// Arguments are validated before they are forwarded, and errors have their types on the wire.
func TestErrorsOnTheWire(t *testing.T) {
	var executed atomic.Int64
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{
		schema: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
		tools: map[string]func(*toyCall) string{
			"count": func(*toyCall) string { executed.Add(1); return text("ok") },
			"fail":  func(*toyCall) string { return `{"content":[],"isError":true,"structuredContent":"anything"}` },
		}})})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		for _, test := range []struct{ name, arguments, want string }{
			{"a__count", `{}`, `"type":"ValidationError"`},
			{"a__count", `null`, `"type":"ValidationError"`}, // as without arguments
			{"a__count", `{"n":"1"}`, `"type":"TypeError"`},
			{"a__count", `{"n":"1"}`, `"isError":true`},
			{"a__count", `{"n":"1"}`, `{"path":"/n","rule":"type","expected":"integer","received":"string"`},
			{"a__none", `{}`, "error -32602: Unknown tool: a__none"},
			{"count", `{"n":1}`, "error -32602: Unknown tool: count"},
			{"a__fail", `{"n":1}`, `{"content":[],"isError":true,"structuredContent":"anything"`},
		} {
			if got := call(t, s, test.name, test.arguments); !strings.Contains(got, test.want) {
				t.Errorf("%s: %s(%s) = %s, want %s", protocol, test.name, test.arguments, got, test.want)
			}
		}
	}
	if executed.Load() != 0 {
		t.Errorf("%d executions, want none", executed.Load())
	}
}

// A cancellation reaches the server on the wire, and the client hears nothing more.
func TestCancellationReachesTheServer(t *testing.T) {
	for _, protocol := range protocols {
		began, stopped := make(chan struct{}), make(chan string, 1)
		server := &toy{tools: map[string]func(*toyCall) string{"wait": func(c *toyCall) string { close(began); <-c.ctx.Done(); return "" }}}
		r := newRig(t, All, nil, map[string]wire.Target{"a": {Serve: func(ctx context.Context, in io.Reader,
			out io.Writer) error {
			return server.serve(ctx, &watched{in, "notifications/cancelled", stopped}, out)
		}}})
		s := r.dial(t, protocol, "ada", mcp.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-began; cancel() }()
		if _, err := s.Do(ctx, mcp.Request{Method: "tools/call", Params: mcp.Object("name", "a__wait")}); err == nil {
			t.Errorf("%s: a cancelled call was answered", protocol)
		}
		soon(t, "the news of the cancellation", stopped)
	}
}

// Changes of a server's list reach clients of both eras, a burst as few.
func TestListChangesReachClients(t *testing.T) {
	var more atomic.Bool
	change := make(chan func(string), 1)
	r := newRig(t, All, nil,
		map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"one": echoing,
			"two": echoing},
			listed: func() []string {
				if more.Load() {
					return []string{"one", "two"}
				}
				return []string{"one"}
			},
			opening: func(say func(string)) { change <- say }})})
	var heard atomic.Int64
	listen := func(protocol string) *mcp.Session {
		s := r.dial(t, protocol, "ada", mcp.Options{OnNotification: func(m mcp.Message) {
			if m.Method == toolsChanged {
				heard.Add(1)
			}
		}})
		if _, err := s.Listen(t.Context(), mcp.Filter{Tools: true}); err != nil {
			t.Fatal(err)
		}
		return s
	}
	older, newer := listen("2025-11-25"), listen("2026-07-28")
	eventually(t, "the first tool", func() bool { return slices.Equal(names(t, older), []string{"a__one"}) })
	heard.Store(0)
	more.Store(true)
	say := <-change
	for range 50 {
		say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	}
	eventually(t, "the second tool", func() bool { return len(names(t, newer)) == 2 })
	eventually(t, "the notifications", func() bool { return heard.Load() >= 2 })
	time.Sleep(300 * time.Millisecond)
	if n := heard.Load(); n > 6 {
		t.Errorf("%d notifications for a burst of 50, want a few", n)
	}
}
