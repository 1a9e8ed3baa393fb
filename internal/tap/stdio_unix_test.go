//go:build unix

package tap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// Values that a careless reader changes pass unchanged in both directions, and are recorded unchanged.
func TestExactValues(t *testing.T) {
	var input strings.Builder
	all := wiretest.ExactArguments()
	if len(all) < 300 {
		t.Fatalf("%d values, want 300", len(all))
	}
	for i, arguments := range all {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"x","params":%s}`+"\n", i, arguments)
	}
	input.WriteString("\x00\xff not JSON\r\n\n{\"unfinished")
	dir := t.TempDir()
	cmd := tapped(t, dir, self(t), "__cat")
	cmd.Stdin = strings.NewReader(input.String())
	out, err := cmd.Output()
	if err != nil || string(out) != input.String() {
		t.Fatalf("%d bytes came back of %d (%v), want the same bytes", len(out), input.Len(), err)
	}
	_, frames := recorded(t, dir)
	for _, from := range []wire.Side{wire.Client, wire.Server} {
		if got := lines(frames, from, "stdio"); got != input.String()+"\n" {
			t.Errorf("the recording of the %s differs from what was sent", from)
		}
	}
	if last := frames[len(frames)-1]; last.Fault != wire.FaultCut {
		t.Errorf("the last frame has the fault %q, want %q", last.Fault, wire.FaultCut)
	}
}

// 10,000 messages of 16 clients at a time arrive in order, both ways.
func TestManyFrames(t *testing.T) {
	const clients, each = 16, 625
	var wg sync.WaitGroup
	for client := range clients {
		dir := t.TempDir()
		wg.Go(func() {
			var input bytes.Buffer
			for i := range each {
				fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"m%d","params":{"pad":"%s"}}`+"\n", i, client,
					strings.Repeat("x", i*7%3000))
			}
			want := input.String()
			cmd := tapped(t, dir, self(t), "__cat")
			cmd.Stdin = &input
			out, err := cmd.Output()
			if err != nil || string(out) != want {
				t.Errorf("client %d: %d bytes came back (%v), want %d", client, len(out), err, len(want))
				return
			}
			s, frames := recorded(t, dir)
			if lines(frames, wire.Client, "stdio") != want || lines(frames, wire.Server, "stdio") != want {
				t.Errorf("client %d: the recording differs from what was sent", client)
			}
			if s.Frames != 2*each || s.Lost != nil {
				t.Errorf("client %d: %d frames recorded, lost %+v, want %d", client, s.Frames, s.Lost, 2*each)
			}
		})
	}
	wg.Wait()
}

// Exit status, signals, stderr and the end of streams are those of the server.
func TestSameAsWithoutTap(t *testing.T) {
	for name, tt := range map[string]struct {
		script, input string
		signal        syscall.Signal // sent when the script has written "ready"
		out, err      string
		code          int
	}{
		"exit status":    {script: "exit 42", code: 42},
		"stdout, stderr": {script: "printf a; printf b >&2; printf c", out: "ac", err: "b"},
		"end of input":   {script: "cat; echo end", input: "x\n", out: "x\nend\n"},
		"stdout closed":  {script: "exec >&-; echo still >&2; exit 3", err: "still\n", code: 3},
		"input not read": {script: "exit 5", input: strings.Repeat("x", 1<<20), code: 5},
		"SIGTERM handled": {script: "trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.01; done",
			signal: syscall.SIGTERM, out: "ready\nbye\n", code: 9},
		"SIGINT handled": {script: "trap 'echo int; exit 8' INT; echo ready; while :; do sleep 0.01; done",
			signal: syscall.SIGINT, out: "ready\nint\n", code: 8},
		"SIGUSR1 handled": {script: "trap 'echo usr; exit 7' USR1; echo ready; while :; do sleep 0.01; done",
			signal: syscall.SIGUSR1, out: "ready\nusr\n", code: 7},
		"environment":      {script: `printf %s "$TAP_PROBE"`, out: "a value"},
		"output, then end": {script: "head -c 300000 /dev/zero | tr '\\0' x", out: strings.Repeat("x", 300_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := tapped(t, t.TempDir(), "/bin/sh", "-c", tt.script)
			cmd.Env = append(os.Environ(), "TAP_PROBE=a value")
			cmd.Stdin = strings.NewReader(tt.input)
			var stdout, stderr bytes.Buffer
			cmd.Stderr = &stderr
			pipe, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(pipe)
			if tt.signal != 0 {
				line, _ := in.ReadString('\n')
				stdout.WriteString(line)
				_ = cmd.Process.Signal(tt.signal)
			}
			_, _ = io.Copy(&stdout, in)
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != tt.code || stdout.String() != tt.out ||
				stderr.String() != tt.err {
				t.Errorf("status %d, %d bytes on stdout, stderr %q, want %d, %d bytes, %q",
					code, stdout.Len(), stderr.String(), tt.code, len(tt.out), tt.err)
			}
		})
	}
}

// A server that closes its stdout and continues is noticed by the client, as without tap.
func TestServerClosesStdout(t *testing.T) {
	cmd := tapped(t, t.TempDir(), "/bin/sh", "-c", "echo last; exec >&-; read line; exit 4")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if out, err := io.ReadAll(pipe); string(out) != "last\n" || err != nil { // it ends although the server runs
		t.Errorf("read %q, %v", out, err)
	}
	_, _ = io.WriteString(stdin, "go on\n")
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 4 {
		t.Errorf("status %d, want 4", code)
	}
}

// A client that stops reading is noticed by the server, as without tap: its next write fails.
func TestClientStopsReading(t *testing.T) {
	cmd := tapped(t, t.TempDir(), "/bin/sh", "-c", "trap '' PIPE; while echo x; do :; done; exit 6")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = pipe.Read(make([]byte, 1))
	_ = pipe.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 6 {
		t.Errorf("status %d, want 6: the write of the server fails", code)
	}
}

// If tap is killed, the client and the server read the end of their streams, and no process is left.
func TestKilledTap(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a supervisor")
	}
	for name, faults := range map[string]string{"without faults": "", "with faults": "ping:delay=5m tools/*:drop"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testKilledTap(t, faults)
		})
	}
}

func testKilledTap(t *testing.T, faults string) {
	dir, marker := t.TempDir(), filepath.Join(t.TempDir(), "marker")
	cmd := tapped(t, dir, "/bin/sh", "-c", "sleep 1000 & echo $! $$ $PPID; exec "+self(t)+" __cat "+marker)
	cmd.Env = append(os.Environ(), "TAP_FAULTS="+faults)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(pipe)
	first, err := in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := in.ReadString('\n'); line != "hello\n" || err != nil {
		t.Fatalf("%q came back, %v", line, err)
	}
	_ = cmd.Process.Kill()
	if rest, err := io.ReadAll(in); len(rest) > 0 || err != nil {
		t.Errorf("the client read %q, %v, want the end", rest, err)
	}
	_ = cmd.Wait()
	eventually(t, "the server reads the end of its input", func() bool { _, err := os.Stat(marker); return err == nil })
	for word := range strings.FieldsSeq(first) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "process "+word+" exits", func() bool { return gone(pid) })
	}
	s, err := Find(dir, "")
	if err != nil || s.Ended != nil || s.Running() {
		t.Errorf("session %+v, %v, want one that has not ended and does not run", s, err)
	}
}

// A full disk loses the recording, which says so, and no traffic.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	input := strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"pad":"`+strings.Repeat("x", 500)+`"}}`+
		"\n", 200)
	cmd := exec.CommandContext(t.Context(), self(t), "__tap", dir, "20000", self(t), "__cat")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil || string(out) != input {
		t.Fatalf("%d bytes came back (%v), want %d", len(out), err, len(input))
	}
	s, frames := recorded(t, dir) // every line is whole
	if len(frames) == 0 || s.Lost == nil || s.Lost.Frames == 0 || s.Lost.Reason == "" || s.Frames != 400 ||
		len(frames)+s.Lost.Frames != 400 {
		t.Errorf("%d of %d frames recorded, lost %+v, want the rest to be noted", len(frames), s.Frames, s.Lost)
	}
	if s.Ended == nil {
		t.Error("the session has not ended")
	}
}

// A program that cannot be started is an error and leaves no recording.
func TestMissingProgram(t *testing.T) {
	dir := t.TempDir()
	err := tapped(t, dir, "/no/such/program").Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 127 {
		t.Errorf("%v, want the status 127 of the test program", err)
	}
	if all, _ := List(dir); len(all) != 0 {
		t.Errorf("%d recordings, want none", len(all))
	}
}
