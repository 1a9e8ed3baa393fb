package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// An inProcessConn connects to a server in this process through two pipes, with the framing of stdio.
type inProcessConn struct {
	*inbox
	target Target
	log    *Transcript
	in     *io.PipeWriter // what the server reads
	out    *io.PipeReader // what the server writes
	cancel context.CancelFunc
	queue  chan []byte   // queued lines for the server
	exited chan struct{} // the server has exited
	wg     sync.WaitGroup
	once   sync.Once
}

func dialInProcess(t Target, log *Transcript) *inProcessConn {
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	c := &inProcessConn{inbox: newInbox(), target: t, log: log, in: in, out: out, cancel: cancel,
		queue: make(chan []byte, inboxSize), exited: make(chan struct{})}
	c.wg.Go(func() {
		err := serveSafely(ctx, t, serverIn, serverOut)
		_ = serverIn.CloseWithError(io.ErrClosedPipe)
		_ = serverOut.CloseWithError(err) // nil reads as io.EOF
		close(c.exited)
	})
	c.wg.Go(c.pump)
	c.wg.Go(c.write)
	return c
}

// errPanicked marks the end of a server that had a bug.
var errPanicked = errors.New("the server panicked")

// serveSafely converts the panic of a server to its error: it must not crash its client.
func serveSafely(ctx context.Context, t Target, in io.Reader, out io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanicked, p)
		}
	}()
	return t.Serve(ctx, in, out)
}

// pump converts the output of the server to frames.
func (c *inProcessConn) pump() {
	lines := newLineReader(c.out, c.target.maxFrame())
	for {
		f, err := lines.next()
		if err != nil {
			c.finish(c.ended(err))
			return
		}
		f.From, f.Stream = Server, c.target.stream()
		if !c.put(c.log.Record(f)) {
			_ = c.out.CloseWithError(io.ErrClosedPipe) // the server's writes must not wait for us
		}
	}
}

// ended returns why there is no more output.
func (c *inProcessConn) ended(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return err
	case !errors.Is(err, errPanicked):
		err = fmt.Errorf("server exited: %w", err)
	}
	return &Error{Target: c.target.String(), Doing: "read from", Err: err}
}

// write writes queued lines; a pipe has no deadline, so Send itself must not block on it.
func (c *inProcessConn) write() {
	defer func() { _ = c.in.Close() }()
	for {
		select {
		case body := <-c.queue:
			_, _ = c.in.Write(body) // an error means that the server has exited, which gone signals
		case <-c.exited:
			return
		case <-c.closed:
			c.flush()
			return
		}
	}
}

// flush writes what was sent before the end.
func (c *inProcessConn) flush() {
	for {
		select {
		case body := <-c.queue:
			_, _ = c.in.Write(body)
		default:
			return
		}
	}
}

// Send queues the frame as a line.
func (c *inProcessConn) Send(ctx context.Context, f Frame) (Frame, error) {
	if err := c.over(); err != nil {
		return f, err
	}
	f.From, f.Stream = Client, c.target.stream()
	f = c.log.Record(f)
	select {
	case c.queue <- line(f.Body):
		return f, nil
	case <-c.exited:
	case <-c.closed:
	case <-ctx.Done():
		return f, context.Cause(ctx)
	}
	return f, c.over()
}

// over returns why nothing can be sent; nil as long as it can.
func (c *inProcessConn) over() error {
	e := &Error{Target: c.target.String(), Doing: "send to", Unsent: true}
	select {
	case <-c.closed:
		e.Err = errClosed
	case <-c.exited:
		e.Err = errors.New("the server has exited")
	default:
		return nil
	}
	return e
}

// line returns the frame with its newline, in a new buffer.
func line(body []byte) []byte {
	return append(append(make([]byte, 0, len(body)+1), body...), '\n')
}

// Close closes the server's input, then cancels its context, and waits for it.
func (c *inProcessConn) Close() error {
	c.once.Do(func() {
		c.shut() // the writer closes the input after its last line
		stop := time.AfterFunc(c.target.grace(), c.cancel)
		defer stop.Stop()
		c.wg.Wait()
		c.cancel()
	})
	return nil
}
