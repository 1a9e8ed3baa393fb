package wire

import (
	"context"
	"sync"
	"time"
)

// inboxSize is how many frames may wait for Recv before reading from the server pauses.
const inboxSize = 256

// An inbox passes frames from the reading goroutines to Recv, in order, and stores why there are no more.
type inbox struct {
	frames chan Frame
	closed chan struct{} // Close was called: frames are no longer read
	once   sync.Once

	turn sync.Mutex  // held while a frame is passed on; guards take
	take func(Frame) // receives the frames; nil while they wait for Recv

	mu  sync.Mutex
	end error
}

func newInbox() *inbox {
	return &inbox{frames: make(chan Frame, inboxSize), closed: make(chan struct{})}
}

// put waits for room and reports whether the frame was accepted.
func (b *inbox) put(f Frame) bool {
	b.turn.Lock()
	defer b.turn.Unlock()
	if b.take != nil {
		select {
		case <-b.closed:
			return false
		default:
			b.take(f)
			return true
		}
	}
	select {
	case b.frames <- f:
		return true
	case <-b.closed:
		return false
	}
}

// Feed passes frames to take from now on, one at a time and in order, on the goroutines that read them. Queued
// frames come first; Recv still returns the end. It saves a goroutine switch per frame.
func (b *inbox) Feed(take func(Frame)) {
	for !b.turn.TryLock() { // the current holder may wait for room
		select {
		case f, ok := <-b.frames:
			if ok {
				take(f)
			}
		case <-time.After(time.Millisecond):
		}
	}
	defer b.turn.Unlock()
	for {
		select {
		case f, ok := <-b.frames:
			if ok {
				take(f)
				continue
			}
		default:
		}
		b.take = take
		return
	}
}

// finish records that no frame follows, and why. Only the last reader calls it.
func (b *inbox) finish(err error) {
	b.mu.Lock()
	b.end = err
	b.mu.Unlock()
	close(b.frames)
}

// shut makes put return; queued frames can still be received.
func (b *inbox) shut() { b.once.Do(func() { close(b.closed) }) }

// isShut reports whether shut was called.
func (b *inbox) isShut() bool {
	select {
	case <-b.closed:
		return true
	default:
		return false
	}
}

// Recv returns the next frame, or the reason for the end.
func (b *inbox) Recv(ctx context.Context) (Frame, error) {
	select {
	case f, ok := <-b.frames:
		if ok {
			return f, nil
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		return Frame{}, b.end
	case <-ctx.Done():
		return Frame{}, context.Cause(ctx)
	}
}
