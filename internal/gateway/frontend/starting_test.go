package frontend

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A slowToy is a toy that says nothing after its start until it is let.
type slowToy struct {
	toy
	quick  atomic.Bool // it does not wait
	slowed atomic.Int32
	let    chan struct{}
}

func (s *slowToy) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if !s.quick.Load() {
		s.slowed.Add(1)
		select {
		case <-s.let:
		case <-ctx.Done():
			return nil
		}
	}
	ctx, die := context.WithCancel(ctx)
	defer die()
	mortal := s.toy
	mortal.tools = map[string]func(*toyCall) string{"echo": echoing, "die": func(*toyCall) string { die(); return "" }}
	done := make(chan error, 1)
	go func() { done <- mortal.serve(ctx, in, out) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return nil
	}
}

func slowTarget(s *slowToy) wire.Target { return wire.Target{Serve: s.serve} }

// A call of a tool whose server is starting waits within its limit, and then says that it is starting: the tool is
// neither unknown nor too slow.
func TestCallsWaitForTheStart(t *testing.T) {
	slow := &slowToy{let: make(chan struct{})}
	invoker := &invoke.Invoker{Timeout: 300 * time.Millisecond}
	r := newRigWith(t, invoker, Both, nil, map[string]wire.Target{"slow": slowTarget(slow)})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		for _, got := range []string{call(t, s, "slow__echo", `{"n":1}`),
			call(t, s, "invoke_tool", `{"name":"slow/echo","arguments":{}}`)} {
			for _, want := range []string{`"isError":true`, `"type":"StartingError"`, `"state":"starting"`,
				`server \"slow\" is starting`} {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %s, want %s", protocol, got, want)
				}
			}
		}
		if got := call(t, s, "none__echo", `{}`); !strings.Contains(got, "Unknown tool") {
			t.Errorf("%s: a tool of no server: %s", protocol, got)
		}
		if ex, err := s.Call(t.Context(), "prompts/get", mcp.Object("name", "slow__p")); err != nil ||
			ex.Reply.Error == nil ||
			!strings.Contains(string(ex.Reply.Error.Data), `"state":"starting"`) {
			t.Errorf("%s: a prompt: %v %+v", protocol, err, ex.Reply)
		}
	}
	invoker.SetLimits(invoke.Limits{Timeout: hang})
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	answer := make(chan string, 1)
	go func() { answer <- call(t, s, "slow__echo", `{"n":1}`) }()
	eventually(t, "the call waits", func() bool { return r.server("slow").Waiting() > 0 })
	close(slow.let)
	if got := soon(t, "the answer", answer); !strings.Contains(got, `{"n":1}`) {
		t.Errorf("a call that waited: %s", got)
	}
}

// While a server restarts its tools stay listed, and a call says that it is restarting.
func TestCallsDuringARestart(t *testing.T) {
	slow := &slowToy{let: make(chan struct{})}
	slow.quick.Store(true)
	invoker := &invoke.Invoker{Timeout: hang}
	r := newRigWith(t, invoker, All, nil, map[string]wire.Target{"a": slowTarget(slow)})
	s := r.dial(t, "2025-11-25", "ada", mcp.Options{})
	if got := call(t, s, "a__echo", `{"n":1}`); !strings.Contains(got, `{"n":1}`) {
		t.Fatal(got)
	}
	slow.quick.Store(false)
	call(t, s, "a__die", `{}`)
	eventually(t, "the restart", func() bool { return slow.slowed.Load() > 0 })
	if got := names(t, s); !slices.Contains(got, "a__echo") {
		t.Errorf("tools during the restart: %v", got)
	}
	if got := r.Health()[0]; got.State != "starting" || !strings.Contains(got.Error, "restarting") {
		t.Errorf("health during the restart: %+v", got)
	}
	invoker.SetLimits(invoke.Limits{Timeout: 300 * time.Millisecond})
	if got := call(t, s, "a__echo", `{}`); !strings.Contains(got, `"type":"StartingError"`) ||
		!strings.Contains(got, `server \"a\" is restarting`) {
		t.Errorf("a call during the restart: %s", got)
	}
	invoker.SetLimits(invoke.Limits{Timeout: hang})
	close(slow.let)
	if got := call(t, s, "a__echo", `{"n":2}`); !strings.Contains(got, `{"n":2}`) {
		t.Errorf("a call after the restart: %s", got)
	}
}

// The tools of a server that is started again with another config stay listed, and calls wait for it.
func TestReplacedServerKeepsItsTools(t *testing.T) {
	r := newRig(t, All, nil,
		map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{"echo": echoing}})})
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	call(t, s, "a__echo", `{}`)
	slow := &slowToy{let: make(chan struct{})}
	r.Replace("a", slowTarget(slow), upstreamOptions())
	if got := names(t, s); !slices.Contains(got, "a__echo") {
		t.Errorf("tools while the server is replaced: %v", got)
	}
	answer := make(chan string, 1)
	go func() { answer <- call(t, s, "a__echo", `{"n":3}`) }()
	eventually(t, "the call waits", func() bool { return r.server("a").Waiting() > 0 })
	close(slow.let)
	if got := soon(t, "the answer", answer); !strings.Contains(got, `{"n":3}`) {
		t.Errorf("a call that waited: %s", got)
	}
}
