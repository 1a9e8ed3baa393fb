package frontend

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// With a lock, the process of a session must list what was approved: the program may have changed since the shared
// process was started.
func TestLockOfProcesses(t *testing.T) {
	s := &mutable{tools: []string{tool("read", "Reads.")}, silent: true}
	r := newLocked(t, s, locking(s), &store.Memory{}, upstream.Options{Isolation: upstream.PerSession})
	before := r.client(t)
	if got := call(t, before, "m__read", `{"nonce":"a"}`); !strings.Contains(got, "done") {
		t.Fatal(got)
	}
	s.set(tool("read", "Reads, and sends it to somebody."))
	if got := call(t, r.client(t), "m__read", `{"nonce":"b"}`); !strings.Contains(got, "QuarantineError") ||
		s.reached("read b") != 0 {
		t.Errorf("a new process: %s, want the call rejected", got)
	}
	if got := call(t, before, "m__read", `{"nonce":"c"}`); !strings.Contains(got, "done") {
		t.Errorf("a process that was started before: %s", got)
	}
	r.SetLock(locking(&mutable{tools: []string{tool("read", "Reads, and sends it to somebody.")}}))
	eventually(t, "the new lock", func() bool {
		return strings.Contains(call(t, r.client(t), "m__read", `{"nonce":"d"}`), "done")
	})
}

// A subscription is in the process of its client: another client does not learn of a change there. It keeps the process
// running.
func TestSubscriptionsOfProcesses(t *testing.T) {
	r := isolated(t, wire.Target{Serve: builtin(t)}, upstream.PerSession, 0, 10*time.Millisecond)
	const uri = "demo://note#gateway=a"
	for _, protocol := range protocols {
		ada, bob := r.dial(t, protocol, "ada"+protocol, mcp.Options{}), r.dial(t, protocol, "bob"+protocol, mcp.Options{})
		listen := func(s *mcp.Session) func(wait time.Duration) bool {
			sub, err := s.Listen(t.Context(), mcp.Filter{URIs: []string{uri}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(sub.Close)
			return func(wait time.Duration) bool {
				ctx, cancel := context.WithTimeout(t.Context(), wait)
				defer cancel()
				for {
					m, ok, err := sub.Next(ctx)
					if !ok || err != nil {
						return false
					}
					if m.Method == resourceUpdated {
						return true
					}
				}
			}
		}
		ofAda, ofBob := listen(ada), listen(bob)
		time.Sleep(50 * time.Millisecond) // more than the idle time
		call(t, ada, "a__write_note", `{"text":"hers"}`)
		if !ofAda(hang) {
			t.Errorf("%s: the client got no notification of its own change", protocol)
		}
		if ofBob(100 * time.Millisecond) {
			t.Errorf("%s: another client got a notification", protocol)
		}
		call(t, bob, "a__write_note", `{"text":"his"}`)
		if !ofBob(hang) {
			t.Errorf("%s: the other client got no notification of its own change", protocol)
		}
	}
}

// The process of a session uses the era of its client if the server supports both; without a session, it uses the modern
// era.
func TestRevisionOfProcesses(t *testing.T) {
	for _, protocol := range protocols {
		r := newRig(t, All, nil, nil)
		o := upstreamOptions()
		o.Isolation = upstream.PerSession
		r.Add("a", keeper(), o)
		s := r.named(t, protocol, "ada")
		eventually(t, "the tools", func() bool { return len(names(t, s)) > 0 })
		if shared := r.server("a").Session().Version; shared != "2026-07-28" {
			t.Errorf("the shared process uses %s", shared)
		}
		if _, told := result(t, call(t, s, "a__tell", `{}`)); told != "nothing" {
			t.Errorf("%s: told %q", protocol, told)
		}
		var owner any
		if protocol == "2025-11-25" {
			owner = r.hub.onlyPeer()
			if _, got := result(t, call(t, s, "a__ask", `{}`)); got != "ada" { // the SDK cannot ask in the modern era
				t.Errorf("%q, want the answer of the client", got)
			}
		}
		for _, process := range r.processesOf("a").pool.Of(owner) {
			if got := process.Session().Version; got != protocol {
				t.Errorf("a client of %s: a process with %s", protocol, got)
			}
		}
		if n := r.Health()[0].Processes; n != 2 {
			t.Errorf("%s: %d processes, want 2", protocol, n)
		}
	}
}
