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

// closeGrace is how long a server may take for each step of being ended: first its input is closed, then it is asked
// to terminate, then it is killed, at last with the supervisor that should have done so.
const closeGrace = 2 * time.Second

// exitGrace is how long we wait for the exit status of a process that has closed a pipe, and for the rest of the output of
// one that has exited. Both are there at once on a machine that is not busy: only a server that lives on behind a closed
// pipe costs all of it.
const exitGrace = 2 * time.Second

// wordsGrace is how long we wait for more in a pipe that a process which lives on holds open.
const wordsGrace = 200 * time.Millisecond

// stderrShown is how much of the standard error stands in an Error.
const stderrShown = 4 << 10

// A stdioConn talks to a child process by lines on its standard input and output.
type stdioConn struct {
	*inbox
	target Target
	log    *Transcript
	proc   *process
	stdin  *os.File
	stdout *os.File
	output *unfinishedLine
	stderr tail
	quiet  chan struct{} // closed when the standard error has ended

	turn      chan struct{} // held by whoever writes; guards the three below
	backlog   []byte        // the unwritten rest of a frame whose sender gave up
	stuck     chan error    // a write that goes on although its sender gave up; nil if there is none
	deadlines bool          // writes can be given up half-way; not so on Windows

	activity activityObserver

	hurry atomic.Int64 // the longest grace, if somebody has asked for one

	wg   sync.WaitGroup
	once sync.Once
}

func dialStdio(t Target, log *Transcript) (*stdioConn, error) {
	proc, pipes, err := start(t)
	if err != nil {
		return nil, &Error{Target: t.String(), Doing: "start", Err: err, Hint: hint(err)}
	}
	c := &stdioConn{inbox: newInbox(), target: t, log: log, proc: proc, stdin: pipes.stdin, stdout: pipes.stdout,
		output: &unfinishedLine{in: &lastWords{file: pipes.stdout}},
		quiet:  make(chan struct{}), turn: make(chan struct{}, 1), deadlines: pipes.stdin.SetWriteDeadline(time.Time{}) == nil}
	c.wg.Go(func() {
		defer close(c.quiet)
		beside := asides{log: log}
		c.stderr.drain(&lastWords{file: pipes.stderr}, func(p []byte) {
			beside.hear(p)
			if t.OnStderr != nil {
				t.OnStderr(p)
			}
		})
		beside.end()
		_ = pipes.stderr.Close()
	})
	c.wg.Go(c.pump)
	c.wg.Go(func() { c.reap(pipes.stderr) })
	return c, nil
}

// Pid is the process id of the child.
func (c *stdioConn) Pid() int { return c.proc.pid() }

// Stderr is the end of what the child wrote to its standard error.
func (c *stdioConn) Stderr() string { return c.stderr.last(stderrKeep) }

// Unfinished is the beginning of the line that the child has not ended yet, and its size.
func (c *stdioConn) Unfinished() ([]byte, int) { return c.output.get() }

// Hurry leaves the child no more than grace for each step of being ended.
func (c *stdioConn) Hurry(grace time.Duration) { c.hurry.Store(int64(grace)) }

// pump turns the child's output into frames until it ends.
func (c *stdioConn) pump() {
	lines := newLineReader(c.output, c.target.maxFrame())
	for {
		f, err := lines.next()
		if err != nil {
			break
		}
		f.From, f.Stream = Server, c.target.stream()
		if !c.put(c.log.Record(f)) {
			c.late(lines)
			_, _ = io.Copy(io.Discard, c.output) // a child must be able to write its last words
			break
		}
	}
	c.finish(c.ended())
	_ = c.stdout.Close()
}

// mostLate is how many frames are recorded after Close: who floods us must not fill the transcript.
const mostLate = 100

// late records what the child says after Close, as far as somebody wants to know it.
func (c *stdioConn) late(lines *lineReader) {
	for n := 1; c.target.LastWords && n < mostLate; n++ {
		f, err := lines.next()
		if err != nil {
			return
		}
		f.From, f.Stream = Server, c.target.stream()
		c.log.Record(f)
	}
}

// ended tells why there is no more output.
func (c *stdioConn) ended() error {
	e := &Error{Target: c.target.String(), Doing: "talk to", Err: errStdoutClosed}
	select {
	case <-c.proc.exited:
		e.Err = c.proc.exit()
	case <-time.After(exitGrace):
	}
	return c.explain(e)
}

// explain adds what is known of a child that has ended.
func (c *stdioConn) explain(e *Error) error {
	if _, never := c.proc.exit().(syscall.Errno); never {
		e.Doing = "start"
	}
	e.Stderr, e.Hint = c.lastWords(), hint(e.Err)
	return e
}

// lastWords is the end of the standard error of a child that has ended; what is still in the pipe is waited for.
func (c *stdioConn) lastWords() string {
	grace := wordsGrace
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

// reap waits for the child and for what it left in its pipes; a grandchild that holds them open is not waited for.
func (c *stdioConn) reap(stderr *os.File) {
	<-c.proc.exited
	c.proc.kill()
	now := time.Now() // lastWords reads on for as long as there is something
	_ = c.stdout.SetReadDeadline(now)
	_ = stderr.SetReadDeadline(now)
}

// sendError tells a write to a dead child from other failures.
func (c *stdioConn) sendError(err error) error {
	e := &Error{Target: c.target.String(), Doing: "send to", Err: err}
	select {
	case <-c.proc.exited:
		e.Err = c.proc.exit()
	case <-time.After(exitGrace):
		if errors.Is(err, os.ErrClosed) {
			e.Err = errClosed
		}
	}
	return c.explain(e)
}

// grace is how long each step of ending the child may take.
func (c *stdioConn) grace() time.Duration {
	grace := c.target.grace()
	if hurry := time.Duration(c.hurry.Load()); hurry > 0 {
		grace = min(grace, hurry)
	}
	return grace
}

// Release ends the child's input and leaves the rest to the supervisor.
func (c *stdioConn) Release() bool {
	if c.proc.lifeline == nil {
		return false
	}
	c.proc.ending.set()
	c.shut()
	_ = c.stdin.Close()
	return c.proc.release()
}

// AwaitEarlier waits until no other process of the same command is being ended.
func (c *stdioConn) AwaitEarlier(ctx context.Context) bool { return c.proc.ending.wait(ctx) }

// Close ends the child by steps and returns when it and its pipes are gone.
func (c *stdioConn) Close() (err error) {
	c.once.Do(func() {
		c.proc.ending.set()
		defer c.proc.ending.close()
		c.shut()
		_ = c.stdin.Close()
		if !c.proc.end(c.grace(), c.proc.terminate, c.proc.kill, c.proc.destroy) {
			_ = c.stdout.SetReadDeadline(time.Now()) // who receives must not wait for it
			err = &Error{Target: c.target.String(), Doing: "end", Err: fmt.Errorf("process %d does not end", c.Pid())}
			return
		}
		c.wg.Wait()
	})
	return err
}
