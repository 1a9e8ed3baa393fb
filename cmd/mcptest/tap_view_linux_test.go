package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A tapped is a running tap between the test, which is the client, and the demo server.
type tapped struct {
	cmd  *exec.Cmd
	env  []string
	in   io.WriteCloser
	out  *bufio.Reader
	next int
}

func startTap(t *testing.T) *tapped {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	s := &tapped{cmd: exec.Command(binary, "tap", "--", binary, "demo")}
	s.env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "TERM=xterm-256color", "NO_COLOR=1")
	s.cmd.Env = s.env
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.request(t, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}`)
	return s
}

// request sends a request and reads its response.
func (s *tapped) request(t *testing.T, method, params string) {
	t.Helper()
	s.next++
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.next, method, params)
	line, err := s.out.ReadString('\n')
	if err != nil || !strings.Contains(line, fmt.Sprintf(`"id":%d`, s.next)) {
		t.Fatalf("%s: %s, %v", method, line, err)
	}
}

// A viewer is tap view on a terminal.
type viewer struct {
	cmd    *exec.Cmd
	ours   *os.File
	screen *syncBuffer
	read   chan struct{} // closed when the terminal has been closed
	before unix.Termios
}

func (s *tapped) view(t *testing.T) *viewer {
	t.Helper()
	ours, theirs := openTerminal(t, 80, 24)
	v := &viewer{ours: ours, screen: &syncBuffer{}, read: make(chan struct{})}
	before, err := unix.IoctlGetTermios(int(ours.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	v.before = *before
	v.cmd = exec.Command(s.cmd.Path, "tap", "view")
	v.cmd.Stdin, v.cmd.Stdout, v.cmd.Stderr, v.cmd.Env = theirs, theirs, theirs, s.env
	v.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // so that it gets SIGWINCH
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.cmd.Process.Kill() })
	theirs.Close()
	go func() {
		defer close(v.read)
		_, _ = io.Copy(v.screen, ours)
	}()
	return v
}

// shows waits until a text is drawn.
func (v *viewer) shows(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(v.screen.String(), text); {
		if time.Now().After(deadline) {
			t.Fatalf("%q is not on the screen:\n%q", text, v.screen)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// The view shows messages as they pass, adapts to the size of the terminal, and gives the terminal back.
func TestTapViewOnATerminal(t *testing.T) {
	s := startTap(t)
	v := s.view(t)
	v.shows(t, "initialize #1")
	v.shows(t, "running")
	s.request(t, "tools/call", `{"name":"echo","arguments":{"message":"\u001b]0;owned\u0007"}}`)
	v.shows(t, "tools/call echo #2")
	if strings.Contains(v.screen.String(), "t test") {
		t.Error("80 columns have room for all keys; the check below proves nothing")
	}
	size := &unix.Winsize{Col: 130, Row: 30}
	if err := unix.IoctlSetWinsize(int(v.ours.Fd()), unix.TIOCSWINSZ, size); err != nil {
		t.Fatal(err)
	}
	v.shows(t, "t test")
	if _, err := v.ours.WriteString("c"); err != nil {
		t.Fatal(err)
	}
	v.shows(t, "mcptest tools call echo")
	after, err := unix.IoctlGetTermios(int(v.ours.Fd()), unix.TCGETS)
	if err != nil || after.Lflag == v.before.Lflag {
		t.Errorf("the terminal is not raw: %v", err)
	}
	if _, err := v.ours.WriteString("\x03"); err != nil { // Ctrl+C
		t.Fatal(err)
	}
	if err := v.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v, want success", err)
	}
	<-v.read
	all := v.screen.String()
	left := all[strings.LastIndex(all, "\x1b[?1049l")+1:]
	if !strings.Contains(all, "\x1b[?1049l") || !strings.Contains(left, "mcptest tools call echo --no-validate") {
		t.Errorf("the end of the screen is %q, want the copied command after it was given back", left)
	}
	if strings.Contains(all, "\x1b]0;owned") {
		t.Error("a command of the client reached the terminal")
	}
	after, err = unix.IoctlGetTermios(int(v.ours.Fd()), unix.TCGETS)
	if err != nil || *after != v.before {
		t.Errorf("the terminal is %+v, was %+v (%v)", after, v.before, err)
	}
	s.request(t, "ping", `{}`)
}

// A killed viewer does not disturb the messages or the recording.
func TestKilledTapView(t *testing.T) {
	s := startTap(t)
	v := s.view(t)
	v.shows(t, "initialize #1")
	if err := v.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = v.cmd.Wait()
	for range 50 {
		s.request(t, "ping", `{}`)
	}
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("tap ended with %v", err)
	}
	list := exec.Command(s.cmd.Path, "tap", "list", "--json")
	list.Env = s.env
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Sessions []struct {
			Frames  int
			Pending int
			Lost    any
		}
	}
	if err := json.Unmarshal(out, &got); err != nil || len(got.Sessions) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	if one := got.Sessions[0]; one.Frames != 102 || one.Pending != 0 || one.Lost != nil {
		t.Errorf("the recording has %+v, want 51 requests with their responses", one)
	}
}
