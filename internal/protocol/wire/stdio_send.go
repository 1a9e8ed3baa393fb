package wire

import (
	"context"
	"errors"
	"os"
	"time"
)

// Send writes the frame as a line. If ctx ends first, the rest of a partially written line is written before
// the next one, so that the stream stays in sync.
func (c *stdioConn) Send(ctx context.Context, f Frame) (Frame, error) {
	if err := c.enter(ctx); err != nil {
		return f, err
	}
	defer func() { <-c.turn }()
	f.From, f.Stream = Client, c.target.stream()
	f = c.log.Record(f)
	data := line(f.Body)
	if c.backlog != nil {
		data = append(c.backlog, data...)
	}
	n, err := c.write(ctx, data)
	c.backlog = nil
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.backlog = data[n:]
		return f, context.Cause(ctx)
	}
	if err != nil {
		return f, c.sendError(err)
	}
	return f, nil
}

// enter waits for the turn to write.
func (c *stdioConn) enter(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case c.turn <- struct{}{}:
		return nil
	default:
	}
	select {
	case c.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// write writes all of data. Most pipes have room for it; only a write that must wait needs the end of ctx.
func (c *stdioConn) write(ctx context.Context, data []byte) (int, error) {
	n := 0
	if c.deadlines {
		if n = c.prompt.write(data); n == len(data) {
			return n, nil
		}
	}
	more, err := c.writeUntil(ctx, data[n:])
	return n + more, err
}

// writeUntil writes all of data. If ctx ends first it returns os.ErrDeadlineExceeded and how much was written.
func (c *stdioConn) writeUntil(ctx context.Context, data []byte) (int, error) {
	if ctx.Done() == nil {
		return c.stdin.Write(data)
	}
	if !c.deadlines {
		return c.writeBeside(ctx, data)
	}
	fired := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = c.stdin.SetWriteDeadline(time.Now())
		close(fired)
	})
	n, err := c.stdin.Write(data)
	if !stop() {
		<-fired
		_ = c.stdin.SetWriteDeadline(time.Time{})
	}
	return n, err
}

// writeBeside writes in a separate goroutine, for systems where a write cannot be interrupted.
func (c *stdioConn) writeBeside(ctx context.Context, data []byte) (int, error) {
	if c.stuck != nil {
		select {
		case <-c.stuck:
			c.stuck = nil
		case <-ctx.Done():
			return 0, os.ErrDeadlineExceeded
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.stdin.Write(data)
		done <- err
	}()
	select {
	case err := <-done:
		return len(data), err
	case <-ctx.Done():
		c.stuck = done
		return len(data), os.ErrDeadlineExceeded
	}
}
