package mcp

import (
	"context"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// receiptTimeout is how long a server may take to acknowledge a notification.
const receiptTimeout = 5 * time.Second

// receiptLocked ends the exchange of a message without a response, and records a rejection.
func (s *Session) receiptLocked(f wire.Frame) {
	done := s.oneWay[f.Stream]
	if done == nil {
		return
	}
	delete(s.oneWay, f.Stream)
	done <- f.Err
	switch {
	case f.Status >= 400:
		s.noticeLocked(f.Seq, "HTTP %d in response to a notification or response", f.Status)
	case f.Err != nil && !errors.Is(f.Err, wire.ErrCut):
		s.noticeLocked(f.Seq, "sending a notification or response: %v", f.Err)
	}
}

// post sends a message that has no response. Over HTTP it waits for the acknowledgment, so that the next
// message cannot overtake it.
func (s *Session) post(ctx context.Context, f wire.Frame) error {
	if _, overHTTP := s.conn.(wire.Streamer); !overHTTP {
		f.Body = oneLine(f.Body)
		_, err := s.conn.Send(ctx, f)
		return err
	}
	done := make(chan error, 1)
	s.mu.Lock()
	sent, err := s.conn.Send(ctx, f)
	if err == nil {
		s.oneWay[sent.Stream] = done
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case err := <-done:
		var e *wire.Error
		if errors.As(err, &e) && e.Unsent {
			return err
		}
	case <-time.After(receiptTimeout): // a server that keeps it open has received it anyway
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
	}
	return nil
}
