package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Ctrl+C on a terminal reaches npx, npm's shell, the launcher and the binary at once, and npm passes the signal on as
// well. The run ends like one without npx: its teardown runs to the end, the exit status is 130, and no process stays.
func TestInterruptOnATerminal(t *testing.T) {
	needInstall(t, "node", "npm", "npx")
	t.Parallel()
	p := packages(t)
	m := newMachine(t, "node", "npm", "npx", "sleep", "touch")
	m.must("npm", "init", "--yes")
	m.must("npm", "install", p.path(p.name), p.path(p.binary(t)))
	suite := `servers: {s: {command: [sh, -c, 'echo $$ > server; mcptest demo; true']}}
teardown: [[sh, -c, 'sleep 0.3; touch torn-down']]
sequences:
  - timeout: 90s
    steps: [{tool: wait, args: {milliseconds: 5000}}, {tool: wait, args: {milliseconds: 4999}}, {tool: wait, args: {milliseconds: 4998}}]
`
	if err := os.WriteFile(filepath.Join(m.dir, "mcptest.yaml"), []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	ours, theirs := openTerminal(t)
	cmd := m.command(t.Context(), "npx", "mcptest", "run", "--transcript", "frames.jsonl")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	screen := make(chan string, 1)
	go func() {
		var text strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := ours.Read(buffer)
			text.Write(buffer[:n])
			if err != nil {
				screen <- text.String()
				return
			}
		}
	}()
	await(t, "the call", func() bool {
		frames, _ := os.ReadFile(filepath.Join(m.dir, "frames.jsonl"))
		return strings.Contains(string(frames), "5000")
	})
	pid, err := os.ReadFile(filepath.Join(m.dir, "server"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ours.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(60*time.Second, func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) })
	defer stuck.Stop()
	_ = cmd.Wait()
	said := <-screen
	// npm ends itself with the signal that ended the command, or exits with its status. A shell shows 130 for both.
	if got := cmd.ProcessState.String(); got != "exit status 130" && got != "signal: interrupt" {
		t.Errorf("exit status: expected 130, got %s\n%s", got, said)
	}
	if _, err := os.Stat(filepath.Join(m.dir, "torn-down")); err != nil {
		t.Errorf("teardown: expected it to run to its end, got %v\n%s", err, said)
	}
	server, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		t.Fatal(err)
	}
	await(t, "the end of the server", func() bool { return unix.Kill(server, 0) == unix.ESRCH })
	await(t, "the end of all processes", func() bool { return unix.Kill(-cmd.Process.Pid, 0) == unix.ESRCH })
}

// await waits until something holds; it gives up long after a busy machine would have got there.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// openTerminal opens a pseudo-terminal: our side of it, and that of a program.
func openTerminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped: no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skipf("skipped: no pseudo-terminals: %v", err)
	}
	return ours, theirs
}
