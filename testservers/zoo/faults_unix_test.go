//go:build unix

package zoo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// playing is a process that plays the script, without a supervisor, so that its process id is its own.
func playing(script string) wire.Target {
	argv, env := wiretest.Command(script)
	return wire.Target{Name: "scripted", Command: argv, Env: env}
}

func open(t *testing.T, target wire.Target, opts mcp.Options) *mcp.Session {
	t.Helper()
	if opts.Protocol == "" {
		opts.Protocol = spec.NewestLegacy
	}
	s, err := mcp.Connect(t.Context(), target, wire.NewTranscript(nil), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// pidOf asks a scripted server for its process id.
func pidOf(t *testing.T, s *mcp.Session) int {
	t.Helper()
	ex, err := s.Call(t.Context(), "pid", nil)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(ex.Reply.Result))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// TestB1 wants the end of a child to be told at once, with its status and its last words.
func TestB1ExitIsToldAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t, playing(called(`stderr "last words\n"`, "exit 139")), mcp.Options{})
	start := time.Now()
	_, err := s.Call(t.Context(), "tools/call", nil)
	took := time.Since(start)
	var exit *wire.ExitError
	var e *wire.Error
	if !errors.As(err, &exit) || exit.Code != 139 || !errors.As(err, &e) || !strings.Contains(e.Stderr, "last words") {
		t.Errorf("error %v (%+v), want exit status 139 and the last words", err, e)
	}
	if took > slack*200*time.Millisecond {
		t.Errorf("told after %v, want 200ms", took)
	}
}

// TestB2 kills a server at fifty moments while it writes: whole frames are whole, the last one says that it was cut.
func TestB2KilledInTheMiddleOfAFrame(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const frame = `{"jsonrpc":"2.0","method":"notifications/x","params":{"text":"0123456789"}}`
	script := "start\n\tsend ready\n\trepeat 1000 drip 10us " + frame
	for range 50 {
		killWhileWriting(t, playing(script), frame, time.Duration(random.IntN(8000))*time.Microsecond)
	}
}

func killWhileWriting(t *testing.T, target wire.Target, want string, after time.Duration) {
	t.Helper()
	log := wire.NewTranscript(nil)
	conn, err := wire.Dial(t.Context(), target, log)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if f, err := conn.Recv(t.Context()); err != nil || string(f.Body) != "ready" {
		t.Fatalf("first frame %q, %v", f.Body, err)
	}
	time.AfterFunc(after, func() { _ = syscall.Kill(conn.(wire.Child).Pid(), syscall.SIGKILL) })
	for cut := false; ; {
		f, err := conn.Recv(t.Context())
		var exit *wire.ExitError
		switch {
		case err != nil:
			if !errors.As(err, &exit) || exit.Signal != syscall.SIGKILL {
				t.Errorf("ended with %v, want signal 9", err)
			}
			return
		case cut:
			t.Errorf("a frame after the one that was cut: %q", f.Body)
		case f.Fault == wire.FaultCut && strings.HasPrefix(want, string(f.Body)):
			cut = true
		case string(f.Body) != want || f.Fault != "":
			t.Errorf("frame %q with fault %q", f.Body, f.Fault)
		}
	}
}

// TestB3 stops a server for a while: the call times out by the clock, its answer is known as late, and another server
// does not suffer.
func TestB3StoppedServer(t *testing.T) {
	t.Parallel()
	script := but("on pid\n\tresult $pid")
	stopped, other := open(t, playing(script), mcp.Options{}), open(t, playing(script), mcp.Options{})
	pid := pidOf(t, stopped)
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	start := time.Now()
	_, err := stopped.Do(t.Context(), mcp.Request{Method: "tools/call", Timeout: 300 * time.Millisecond})
	if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > slack*300*time.Millisecond {
		t.Errorf("%v after %v, want a timeout after 300ms", err, took)
	}
	if _, err := other.Call(t.Context(), "tools/call", nil); err != nil {
		t.Errorf("the other server: %v", err)
	}
	_ = syscall.Kill(pid, syscall.SIGCONT)
	if _, err := stopped.Call(t.Context(), "tools/list", nil); err != nil {
		t.Errorf("after the stop: %v", err)
	}
	v := &visitor{T: t, Sight: Sight{Notice: "a request that timed out before"}, s: stopped}
	v.notices()
}

// TestB5 has a server that reads nothing: calls fail by their own time limits, and the end is still quick.
func TestB5NobodyReads(t *testing.T) {
	t.Parallel()
	argv, env := Server{Script: find(t, "never-reads").Script}.Command()
	s := open(t, wire.Target{Command: argv, Env: env, Grace: 100 * time.Millisecond}, mcp.Options{})
	if _, err := s.Call(t.Context(), "tools/list", nil); err != nil {
		t.Fatal(err)
	}
	big := mcp.Object("arguments", fill(1<<20))
	for range 3 {
		start := time.Now()
		_, err := s.Do(t.Context(), mcp.Request{Method: "tools/call", Params: big, Timeout: 200 * time.Millisecond})
		var timeout *mcp.TimeoutError
		if took := time.Since(start); !errors.As(err, &timeout) || !timeout.Unsent ||
			took > slack*200*time.Millisecond {
			t.Errorf("%v after %v, want an unsent request after 200ms", err, took)
		}
	}
	start := time.Now()
	_ = s.Close()
	if took := time.Since(start); took > time.Second {
		t.Errorf("closed after %v", took)
	}
}

func find(t *testing.T, name string) Server {
	t.Helper()
	for _, s := range Servers() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no server %s", name)
	return Server{}
}

// TestB8 floods the standard error: what is kept is bounded and is the end.
func TestB8StderrRing(t *testing.T) {
	t.Parallel()
	s := open(t, playing(called(`repeat 500 stderr "`+fill(10_000)+`\n"`, `stderr "\x1b[31m\x00the end"`, "result {}")),
		mcp.Options{})
	if _, err := s.Call(t.Context(), "tools/call", nil); err != nil {
		t.Fatal(err)
	}
	var got string
	for range 200 {
		if got = s.Stderr(); strings.HasSuffix(got, "the end") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(got) > 1<<20 || !strings.HasSuffix(got, "x\n\x1b[31m\x00the end") {
		t.Errorf("kept %d bytes ending in %q, want at most 1 MiB and the end", len(got), got[max(0, len(got)-20):])
	}
}

// TestB11 floods with notifications: calls are answered meanwhile.
func TestB11FloodKeepsCallsQuick(t *testing.T) {
	t.Parallel()
	s := open(t, playing(but("on flood\n\trepeat 150000 notify notifications/message "+
		"{\"level\":\"info\",\"data\":\"x\"}\n\tresult {}")), mcp.Options{})
	flood := make(chan error, 1)
	go func() { _, err := s.Call(context.Background(), "flood", nil); flood <- err }()
	var took []time.Duration
	for range 100 {
		start := time.Now()
		if _, err := s.Call(t.Context(), "tools/call", nil); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	if p99 := took[98]; p99 > 5*100*time.Millisecond {
		t.Errorf("p99 of a call in a flood is %v, want 100ms", p99)
	}
	if err := <-flood; err != nil {
		t.Error(err)
	}
}

// TestB12 closes a server that ignores everything but KILL.
func TestB12KillLadder(t *testing.T) {
	for _, supervisor := range [][]string{nil, {os.Args[0], supervise.Command}} {
		t.Run(fmt.Sprintf("supervised %v", supervisor != nil), func(t *testing.T) {
			t.Parallel()
			argv, env := find(t, "ignores-eof-and-term").Command()
			s := open(t, wire.Target{Command: argv, Env: env, Supervisor: supervisor}, mcp.Options{})
			start := time.Now()
			err := s.Close()
			if took := time.Since(start); err != nil || took < 3900*time.Millisecond || took > 6*time.Second {
				t.Errorf("closed after %v with %v, want 4 s", took, err)
			}
		})
	}
}

// TestB10 asks a child what it can see of us.
func TestB10NothingLeaks(t *testing.T) {
	t.Setenv("ZOO_SECRET_TOKEN", "canary")
	for _, supervisor := range [][]string{nil, {os.Args[0], supervise.Command}} {
		dir := t.TempDir()
		conn, err := wire.Dial(t.Context(), wire.Target{Command: []string{os.Args[0], insideMode}, Dir: dir,
			Supervisor: supervisor}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := conn.Recv(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		var seen insideView
		if err := json.Unmarshal(f.Body, &seen); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(f.Body, []byte("canary")) || len(seen.Env) == 0 {
			t.Errorf("the child's environment is %q", seen.Env)
		}
		if len(seen.Files) > 3 {
			t.Errorf("the child's open files are %q, want 0, 1 and 2", seen.Files)
		}
		if !strings.HasSuffix(seen.Dir, dir) {
			t.Errorf("the child's directory is %q, want %q", seen.Dir, dir)
		}
	}
}

// A supervisor does not hide why a file cannot be run.
func TestNoProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte("echo hello\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, supervisor := range [][]string{nil, {os.Args[0], supervise.Command}} {
		_, err := mcp.Connect(t.Context(), wire.Target{Name: "script", Command: []string{path}, Supervisor: supervisor},
			nil,
			&mcp.Options{Protocol: spec.NewestLegacy})
		var e *wire.Error
		if !errors.As(err, &e) || !errors.Is(err, syscall.ENOEXEC) || e.Doing != "start" ||
			!strings.Contains(e.Hint.String(), "#!/bin/sh") {
			t.Errorf("supervisor %q: %v (%+v), want that it cannot be started", supervisor, err, e)
		}
	}
}
