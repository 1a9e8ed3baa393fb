package wire

import (
	"context"
	"sync"
)

// inboxSize is how many frames may wait for Recv before the server is held back.
const inboxSize = 256

// An inbox hands frames from the goroutines that read them to Recv, in order, and remembers why there are no more.
type inbox struct {
	frames chan Frame
	closed chan struct{} // Close was called: nobody reads any more
	once   sync.Once

	mu  sync.Mutex
	end error
}

func newInbox() *inbox {
	return &inbox{frames: make(chan Frame, inboxSize), closed: make(chan struct{})}
}

// put waits for room and reports whether the frame was taken.
func (b *inbox) put(f Frame) bool {
	select {
	case b.frames <- f:
		return true
	case <-b.closed:
		return false
	}
}

// finish says that no frame follows, and why. Only the last reader calls it.
func (b *inbox) finish(err error) {
	b.mu.Lock()
	b.end = err
	b.mu.Unlock()
	close(b.frames)
}

// shut makes put give up; waiting frames can still be received.
func (b *inbox) shut() { b.once.Do(func() { close(b.closed) }) }

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
