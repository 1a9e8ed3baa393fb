package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// played is a target that plays the script as a process.
func played(script string) Target {
	argv, env := wiretest.Command(script)
	return Target{Name: "played", Command: argv, Env: env, Grace: 200 * time.Millisecond}
}

func dial(t *testing.T, target Target, log *Transcript) Conn {
	t.Helper()
	conn, err := Dial(t.Context(), target, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// bodies receives until the end, or until there are n frames.
func bodies(t *testing.T, conn Conn, n int) (all []string, end error) {
	t.Helper()
	for len(all) < n {
		f, err := conn.Recv(t.Context())
		if err != nil {
			return all, err
		}
		all = append(all, string(f.Body))
	}
	return all, nil
}

const echo = "on hello\n\tsend $params\n"

func TestStdioCarriesExactBytes(t *testing.T) {
	log := NewTranscript(nil)
	conn := dial(t, played(echo), log)
	const params = `{"a":1.0, "a":1e400,"b":"\ud800<&>"}`
	if _, err := conn.Send(t.Context(), Frame{Body: []byte(`{"method":"hello","params":` + params + `}`)}); err != nil {
		t.Fatal(err)
	}
	if got, err := bodies(t, conn, 1); err != nil || got[0] != params {
		t.Errorf("got %q, %v; want %q", got, err, params)
	}
	if sent, _ := log.Frame(1); sent.From != Client || sent.Stream != "stdio" {
		t.Errorf("recorded %+v", sent)
	}
}

// A child that writes a lot and exits at once loses nothing, however late we come to it.
func TestLastWordsAreNotLost(t *testing.T) {
	script := "start\n\trepeat 700 send " + strings.Repeat("x", 60) + "\n\tsend the end\n\texit 0"
	conn := dial(t, played(script), nil)
	time.Sleep(3 * exitGrace) // the inbox is full and the child long gone
	got, err := bodies(t, conn, 10_000)
	var exit *ExitError
	if len(got) != 701 || got[len(got)-1] != "the end" || !errors.As(err, &exit) || exit.Code != 0 {
		t.Errorf("%d frames, then %v; want 701, then status 0", len(got), err)
	}
}

// What a child says when nobody listens any more is recorded for who wants it, and never without a bound.
func TestWordsAfterClose(t *testing.T) {
	for wanted, want := range map[bool]int{false: 0, true: maxLateFrames} {
		target, log := played("on goodbye\n\trepeat 300 send x\n\tdeaf\n\texit 0"), NewTranscript(nil)
		target.LastWords, target.Grace = wanted, time.Minute
		conn := dial(t, target, log).(*stdioConn)
		conn.Feed(func(Frame) {})
		conn.shut()
		if _, err := conn.Send(t.Context(), Frame{Body: []byte(`{"method":"goodbye"}`)}); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		if got := len(log.Since(0)) - 1; got != want {
			t.Errorf("with LastWords %v: %d frames of the child were recorded after Close, want %d", wanted, got, want)
		}
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, command, hint string
		is                  error
	}{
		{"not in PATH", "no-such-program-here", "on PATH", exec.ErrNotFound},
		{"no such file", "./no/such/file", "check the path", os.ErrNotExist},
		{"not executable", plain, "chmod +x", os.ErrPermission},
	} {
		_, err := Dial(t.Context(), Target{Command: []string{tt.command}}, nil)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, tt.is) || !strings.Contains(e.Hint.String(), tt.hint) ||
			e.Doing != "start" {
			t.Errorf("%s: %v, hint %q; want %v, hint %q", tt.name, err, e.Hint, tt.is, tt.hint)
		}
	}
}

// The child's own PATH says what a bare name means, and its directory what a relative path means.
func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program.exe")
	if err := os.WriteFile(program, []byte("x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, target := range []Target{
		{Command: []string{"program.exe"}, Env: []string{"PATH=/nowhere", "PATH=" + dir}},
		{Command: []string{"./program.exe"}, Dir: dir, Env: []string{}},
		{Command: []string{program}, Env: []string{}},
	} {
		if got, err := lookPath(target); err != nil || got != program {
			t.Errorf("lookPath(%q) = %q, %v; want %q", target.Command, got, err, program)
		}
	}
	t.Chdir(dir)
	for _, target := range []Target{
		{Command: []string{"program.exe"}, Env: []string{"PATH=."}},
		{Command: []string{"program.exe"}, Env: []string{}},
	} {
		if got, err := lookPath(target); !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("lookPath(%q) = %q, %v; want not found", target.Command, got, err)
		}
	}
}

func TestBaseEnvHoldsNoSecret(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "canary")
	t.Setenv("LC_TIME", "C")
	env := strings.Join(Target{}.env(), "\n")
	if strings.Contains(env, "canary") || !strings.Contains(env, "PATH=") || !strings.Contains(env, "LC_TIME=C") {
		t.Errorf("the environment of a child is\n%s", env)
	}
	if got := (Target{Env: []string{}}).env(); len(got) != 0 {
		t.Errorf("an empty environment became %q", got)
	}
}

// A sender that gives up leaves the stream in step: its line goes out whole before the next one.
func TestSendThatGivesUpKeepsTheStreamInStep(t *testing.T) {
	for _, deadlines := range []bool{true, false} {
		t.Run(fmt.Sprintf("deadlines %v", deadlines), func(t *testing.T) {
			t.Parallel()
			conn := dial(t, played("start\n\tsleep 1s\n"+echo), nil).(*stdioConn)
			conn.deadlines = conn.deadlines && deadlines
			big := `"` + strings.Repeat("x", 300_000) + `"`
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := conn.Send(ctx, Frame{Body: []byte(`{"method":"hello","params":` + big + `}`)})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("Send to a busy child: %v, want a deadline", err)
			}
			if _, err := conn.Send(t.Context(), Frame{Body: []byte(`{"method":"hello","params":2}`)}); err != nil {
				t.Fatal(err)
			}
			got, err := bodies(t, conn, 2)
			if err != nil || len(got[0])+len(got[1]) != len(big)+1 {
				t.Errorf("lines of %d and %d bytes came, %v; want both", len(got[0]), len(got[1]), err)
			}
		})
	}
}

func TestSendToADeadChild(t *testing.T) {
	conn := dial(t, played("start\n\tstderr \"why\"\n\texit 5"), nil)
	if _, err := bodies(t, conn, 1); err == nil {
		t.Fatal("a frame came")
	}
	_, err := conn.Send(t.Context(), Frame{Body: []byte("x")})
	var exit *ExitError
	var e *Error
	if !errors.As(err, &exit) || exit.Code != 5 || !errors.As(err, &e) || e.Stderr != "why" {
		t.Errorf("Send: %v, want exit status 5 and its stderr", err)
	}
}

func TestCloseTwiceAndUseAfterwards(t *testing.T) {
	for name, target := range map[string]Target{
		"stdio":      played(echo),
		"in process": {Serve: wiretest.New(echo).Serve},
		"http":       {URL: "http://127.0.0.1:1/"},
	} {
		conn := dial(t, target, nil)
		if err := errors.Join(conn.Close(), conn.Close()); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		if _, err := conn.Send(t.Context(), Frame{Body: []byte("{}")}); err == nil {
			t.Errorf("%s: Send after Close worked", name)
		}
		if _, err := conn.Recv(t.Context()); err == nil {
			t.Errorf("%s: Recv after Close worked", name)
		}
	}
}

func TestRecvGivesUpWithItsContext(t *testing.T) {
	conn := dial(t, Target{Serve: wiretest.New(echo).Serve}, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrNoProgress)
	if _, err := conn.Recv(ctx); err != io.ErrNoProgress {
		t.Errorf("Recv: %v, want the cause", err)
	}
}
