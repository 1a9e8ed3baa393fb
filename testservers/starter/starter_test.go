package starter_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/testservers/starter"
)

func TestMain(m *testing.M) {
	starter.Play()
	leaktest.Main(m)
}

// outcomes are the revision and the processes that each kind must lead to, however slowly it starts.
var outcomes = map[starter.Kind]struct{ version, events string }{
	starter.Handshake: {spec.NewestLegacy, "start"},
	starter.Stateless: {spec.NewestModern, "start"},
	starter.Both:      {spec.NewestModern, "start"},
	starter.Exits:     {spec.NewestLegacy, "start exit start"},
	starter.Ignores:   {spec.NewestLegacy, "start"},
}

// Each kind is started once, or again only after its exit, and gets the same revision however long it takes to start.
func TestStartDelays(t *testing.T) {
	delays := []time.Duration{0, 700 * time.Millisecond}
	if os.Getenv("MCPTEST_FULL") != "" {
		delays = []time.Duration{0, 5 * time.Second, 12 * time.Second, 25 * time.Second}
	}
	for _, delay := range delays {
		for kind := range outcomes {
			t.Run(fmt.Sprint(kind, " ", delay), func(t *testing.T) {
				t.Parallel()
				start(t, starter.Options{Kind: kind, Delay: delay})
			})
		}
	}
}

// The same beside a busy loop on every processor.
func TestStartBesideBusyLoops(t *testing.T) {
	for range runtime.NumCPU() {
		loop := exec.Command("/bin/sh", "-c", "while :; do :; done")
		if err := loop.Start(); err != nil {
			t.Skip(err)
		}
		defer func() { _ = loop.Process.Kill(); _ = loop.Wait() }()
	}
	for kind := range outcomes {
		start(t, starter.Options{Kind: kind, Delay: 100 * time.Millisecond})
	}
}

// A server that has read its input and handles it late looks as if it ignored the probe. Its revision is the same; one
// that the handshake has bound meanwhile is started again.
func TestStartBuffered(t *testing.T) {
	for kind, want := range outcomes {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			if kind == starter.Both {
				want.events = "start exit start"
			}
			startWith(t, starter.Options{Kind: kind, Delay: 1500 * time.Millisecond, Buffer: true}, want.version,
				want.events)
		})
	}
}

func start(t *testing.T, o starter.Options) {
	t.Helper()
	startWith(t, o, outcomes[o.Kind].version, outcomes[o.Kind].events)
}

func startWith(t *testing.T, o starter.Options, version, events string) {
	t.Helper()
	o.Log = filepath.Join(t.TempDir(), "log")
	argv, env := starter.Command(o)
	target := wire.Target{Command: argv, Env: env, Supervisor: []string{os.Args[0], supervise.Command}}
	began := time.Now()
	s, err := mcp.Connect(t.Context(), target, nil, nil)
	if err != nil {
		t.Errorf("%s: %v", o.Kind, err)
		return
	}
	defer s.Close()
	if got := starter.Events(o.Log); s.Version != version || got != events {
		t.Errorf("%s: %s (%s) with the processes %q after %v, want %s and %q", o.Kind, s.Version, s.Why, got,
			time.Since(began), version, events)
	}
	if list, err := s.Call(t.Context(), "tools/list", nil); err != nil || list.Reply.Error != nil {
		t.Errorf("%s: tools/list: %v", o.Kind, err)
	}
}
