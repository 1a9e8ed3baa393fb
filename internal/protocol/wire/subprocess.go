package wire

import (
	"io"
	"os"
	"syscall"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// A Subprocess is a server process whose standard streams the caller reads and writes itself.
type Subprocess struct {
	Stdin  *os.File
	Stdout io.Reader // ends when the process has exited and its remaining output was read
	Stderr io.Reader
	proc   *process
	output [2]*os.File
}

// StartSubprocess starts the target's command. Nothing is recorded, and the child is never ended by us.
func StartSubprocess(t Target) (*Subprocess, error) {
	proc, pipes, err := start(t)
	if err != nil {
		return nil, &Error{Target: t.String(), Doing: "start", Err: err, Hint: hintOf(err)}
	}
	c := &Subprocess{Stdin: pipes.stdin, Stdout: &drainReader{file: pipes.stdout},
		Stderr: &drainReader{file: pipes.stderr},
		proc:   proc, output: [2]*os.File{pipes.stdout, pipes.stderr}}
	go func() {
		<-proc.exited
		for _, file := range c.output {
			_ = file.SetReadDeadline(time.Now()) // a descendant that holds it open is not waited for
		}
	}()
	return c, nil
}

// CloseStdout closes our end of the child's stdout: its next write fails.
func (c *Subprocess) CloseStdout() { _ = c.output[0].Close() }

// CloseStderr closes our end of the child's stderr.
func (c *Subprocess) CloseStderr() { _ = c.output[1].Close() }

// Signal sends a signal to the child, not to its descendants.
func (c *Subprocess) Signal(s os.Signal) {
	number, ok := s.(syscall.Signal)
	if c.proc.lifeline != nil && ok && number > 0 && number < supervise.Signal {
		_, _ = c.proc.lifeline.Write([]byte{supervise.Signal + byte(number)})
		return
	}
	_ = c.proc.cmd.Process.Signal(s)
}

// Kill kills the child and all of its descendants.
func (c *Subprocess) Kill() { c.proc.kill() }

// Exited is closed when the child has exited.
func (c *Subprocess) Exited() <-chan struct{} { return c.proc.exited }

// Exit returns how the child exited, once Exited is closed: an *ExitError, or an error if it could not be run.
func (c *Subprocess) Exit() error { return c.proc.exit() }
