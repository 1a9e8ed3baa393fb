package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// exitGrace is how long we wait for the exit status of a process that has closed a pipe, and for the remaining
// output of one that has exited. Both are available immediately on an idle machine: only a server that keeps
// running after closing a pipe causes the full wait.
const exitGrace = 2 * time.Second

// stderrDrainTimeout is how long we wait for more output in a pipe that a running process holds open.
const stderrDrainTimeout = 200 * time.Millisecond

// stderrShown is the length of the stderr output in an Error.
const stderrShown = 4 << 10

// A stdioConn connects to a child process by lines on its stdin and stdout.
type stdioConn struct {
	*inbox
	target Target
	log    *Transcript
	proc   *process
	stdin  *os.File
	stdout *os.File
	output *unfinishedLine
	stderr tail
	quiet  chan struct{} // closed when stderr has ended

	turn      chan struct{} // held while writing; guards the four below
	backlog   []byte        // the unwritten rest of a frame whose sender stopped waiting
	stuck     chan error    // a write that continues although its sender stopped waiting; nil if there is none
	deadlines bool          // writes can be interrupted; not so on Windows
	prompt    *promptWriter // nil if writes always wait

	activity activityObserver

	hurry atomic.Int64 // the maximum grace period, if Hurry was called

	wg   sync.WaitGroup
	once sync.Once
}

func dialStdio(t Target, log *Transcript) (*stdioConn, error) {
	proc, pipes, err := start(t)
	if err != nil {
		return nil, &Error{Target: t.String(), Doing: "start", Err: err, Hint: hintOf(err)}
	}
	c := &stdioConn{inbox: newInbox(), target: t, log: log, proc: proc, stdin: pipes.stdin, stdout: pipes.stdout,
		output: &unfinishedLine{in: &drainReader{file: pipes.stdout}},
		quiet:  make(chan struct{}), turn: make(chan struct{}, 1),
		deadlines: pipes.stdin.SetWriteDeadline(time.Time{}) == nil, prompt: newPromptWriter(pipes.stdin)}
	c.wg.Go(func() {
		defer close(c.quiet)
		beside := stderrRecorder{log: log}
		c.stderr.drain(&drainReader{file: pipes.stderr}, func(p []byte) {
			beside.record(p)
			if t.OnStderr != nil {
				t.OnStderr(p)
			}
		})
		beside.end()
		_ = pipes.stderr.Close()
	})
	c.wg.Go(c.pump)
	c.wg.Go(func() { c.waitAndDrain(pipes.stderr) })
	return c, nil
}

// Pid returns the process ID of the child.
func (c *stdioConn) Pid() int { return c.proc.pid() }

// Stderr returns the last stderr output of the child.
func (c *stdioConn) Stderr() string { return c.stderr.last(stderrKeep) }

// Unfinished returns the beginning of the line that the child has not ended yet, and its size.
func (c *stdioConn) Unfinished() ([]byte, int) { return c.output.get() }

var _ Child = (*stdioConn)(nil)

// CloseFast limits each step of ending the child to grace.
func (c *stdioConn) CloseFast(grace time.Duration) { c.hurry.Store(int64(grace)) }

// pump converts the child's output to frames until it ends.
func (c *stdioConn) pump() {
	lines := newLineReader(c.output, c.target.maxFrame())
	for {
		f, err := lines.next()
		if err != nil {
			break
		}
		f.From, f.Stream = Server, c.target.stream()
		if late := c.isShut() && !c.target.LastWords; late || !c.put(c.log.Record(f)) {
			c.late(lines)
			_, _ = io.Copy(io.Discard, c.output) // the child must be able to write its last output
			break
		}
	}
	c.finish(c.ended())
	_ = c.stdout.Close()
}

// maxLateFrames is how many frames are recorded after Close: a flood must not fill the transcript.
const maxLateFrames = 100

// late records the child's messages after Close, if requested.
func (c *stdioConn) late(lines *lineReader) {
	for n := 1; c.target.LastWords && n < maxLateFrames; n++ {
		f, err := lines.next()
		if err != nil {
			return
		}
		f.From, f.Stream = Server, c.target.stream()
		c.log.Record(f)
	}
}

// ended returns why there is no more output.
func (c *stdioConn) ended() error {
	e := &Error{Target: c.target.String(), Doing: "communicate with", Err: errStdoutClosed}
	select {
	case <-c.proc.exited:
		e.Err = c.proc.exit()
	case <-time.After(exitGrace):
	}
	return c.explain(e)
}

// explain adds what is known about a child that has exited.
func (c *stdioConn) explain(e *Error) error {
	if _, never := c.proc.exit().(syscall.Errno); never {
		e.Doing = "start"
	}
	e.Stderr, e.Hint = c.stderrTail(), hintOf(e.Err)
	if hint := missingModuleHint(e.Stderr); hint != "" {
		e.Hint = hint
	}
	return e
}

// stderrTail returns the last stderr output of a child that has exited; it waits for what is still in the pipe.
func (c *stdioConn) stderrTail() string {
	grace := stderrDrainTimeout
	select {
	case <-c.proc.exited:
		grace = exitGrace
	default:
	}
	select {
	case <-c.quiet:
	case <-time.After(grace):
	}
	return c.stderr.last(stderrShown)
}

// waitAndDrain waits for the child and for the remaining data in its pipes; a descendant that holds them open is not
// waited for.
func (c *stdioConn) waitAndDrain(stderr *os.File) {
	<-c.proc.exited
	c.proc.kill()
	now := time.Now() // drainReader reads as long as there is data
	_ = c.stdout.SetReadDeadline(now)
	_ = stderr.SetReadDeadline(now)
}

// sendError distinguishes a write to an exited child from other failures. Whether a child exits before or after the write
// is a matter of chance, so the message is that of ended.
func (c *stdioConn) sendError(err error) error {
	e := &Error{Target: c.target.String(), Doing: "send to", Err: err}
	select {
	case <-c.proc.exited:
		e.Doing, e.Err = "communicate with", c.proc.exit()
	case <-time.After(exitGrace):
		if errors.Is(err, os.ErrClosed) {
			e.Err = errClosed
		}
	}
	return c.explain(e)
}

// grace returns how long each step of ending the child may take.
func (c *stdioConn) grace() time.Duration {
	grace := c.target.grace()
	if hurry := time.Duration(c.hurry.Load()); hurry > 0 {
		grace = min(grace, hurry)
	}
	return grace
}

// Release closes the child's input and leaves the rest to the supervisor.
func (c *stdioConn) Release() bool {
	if c.proc.lifeline == nil {
		return false
	}
	c.proc.ending.set()
	c.shut()
	_ = c.stdin.Close()
	return c.proc.release()
}

// AwaitEarlier waits until no other process of the same command is shutting down.
func (c *stdioConn) AwaitEarlier(ctx context.Context) bool { return c.proc.ending.wait(ctx) }

// Close ends the child step by step and returns when it has exited and its pipes are closed.
func (c *stdioConn) Close() (err error) {
	c.once.Do(func() {
		c.proc.ending.set()
		defer c.proc.ending.close()
		c.shut()
		_ = c.stdin.Close()
		if c.target.OnBusy != nil {
			c.target.OnBusy(c.awaitBusy(c.grace()))
		}
		if !c.proc.end(c.grace(), c.proc.terminate, c.proc.kill, c.proc.destroy) {
			_ = c.stdout.SetReadDeadline(time.Now()) // receivers must not wait for it
			err = &Error{Target: c.target.String(), Doing: "end", Err: fmt.Errorf("process %d did not exit", c.Pid())}
			return
		}
		c.wg.Wait()
	})
	return err
}

// maxBusy limits the additional time of a process that is busy when it should exit, and busyInterval is how often
// that is observed.
const (
	maxBusy      = 20 * time.Second
	busyInterval = 100 * time.Millisecond
)

// awaitBusy waits until the child has exited, or was idle for almost all of grace, and returns how long it was busy: on a
// machine with much other work, a process that is about to exit waits for a CPU.
func (c *stdioConn) awaitBusy(grace time.Duration) (busy time.Duration) {
	var idle time.Duration
	for idle < grace-busyInterval && busy < maxBusy {
		started := time.Now()
		exited := c.proc.exitsWithin(busyInterval)
		if took := time.Since(started); exited || c.isBusy() {
			busy += took
		} else {
			idle += took
		}
		if exited {
			break
		}
	}
	return busy
}
