package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openTerminal opens a terminal of a size: our side of it, and that of a program.
func openTerminal(t *testing.T, columns, rows uint16) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("left out: there are no terminals here: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ,
		&unix.Winsize{Col: columns, Row: rows}); err != nil {
		t.Fatal(err)
	}
	if theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skipf("left out: there are no terminals here: %v", err)
	}
	return ours, theirs
}

// On a terminal --tui shows the servers and their calls; q ends the gateway, which lets the call under way end first,
// and the terminal is as it was.
func TestGatewayOnATerminal(t *testing.T) {
	g := startGateway(t, oneDemo, "--open") // for its binary and its config
	binary, config := g.cmd.Path, g.config
	g.stop(t)
	ours, theirs := openTerminal(t, 100, 30)
	screen := &syncBuffer{}
	read := make(chan struct{}) // closed when all that was written has been read
	go func() {
		defer close(read)
		buffer := make([]byte, 4096)
		for {
			n, err := ours.Read(buffer)
			_, _ = screen.Write(buffer[:n])
			if err != nil {
				return
			}
		}
	}()
	cmd := exec.Command(binary, "gateway", "--config", config, "--listen", "127.0.0.1:0", "--open", "--tui")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	shown := func(text string) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); !strings.Contains(screen.String(),
			text); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%q is not on the screen:\n%q", text, screen)
			}
		}
	}
	shown("/mcp\r\n")
	line := screen.String()
	line = line[strings.Index(line, "http://"):]
	g = &gateway{url: line[:strings.Index(line, "\r")], log: screen}
	g.ready(t, "", "demo__echo")
	shown("demo/echo")
	answered := make(chan string, 1)
	go func() {
		_, body, err := g.call(t.Context(), "", "demo__wait", `{"milliseconds":2000}`)
		answered <- fmt.Sprint(body, err)
	}()
	g.until(t, "the call is under way", func() bool {
		_, body := g.get(t, "/status", "")
		return strings.Contains(body, `"in_flight":1`)
	})
	if _, err := ours.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	shown("shutting down")
	if answer := <-answered; !strings.Contains(answer, `"result"`) {
		t.Errorf("the call under way: %s, want it answered", answer)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v, want success", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	select {
	case <-read:
	case <-time.After(30 * time.Second):
		t.Fatal("somebody still holds the terminal")
	}
	if all := screen.String(); !strings.Contains(all, "\x1b[?1049h") ||
		strings.LastIndex(all, "\x1b[?1049l") < strings.LastIndex(all, "\x1b[?1049h") {
		t.Errorf("the screen was not given back: %q", all[max(0, len(all)-200):])
	}
	if colors := []byte("\x1b[32m"); bytes.Contains([]byte(screen.String()), colors) {
		t.Error("there are colours in spite of NO_COLOR")
	}
}

// Without a terminal --tui says so.
func TestGatewayWithoutATerminal(t *testing.T) {
	config := toolFile(t, `{"mcpServers":{}}`)
	for _, test := range []struct{ args, want string }{{"--listen 127.0.0.1:0 --tui", "requires a terminal"},
		{"--tui", "--tui requires --listen"}} {
		_, stderr, code := runCLI(append([]string{"gateway", "--config", config}, strings.Fields(test.args)...)...)
		if code != 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit %d, %s; want %q", test.args, code, stderr, test.want)
		}
	}
}
