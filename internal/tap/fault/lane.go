package fault

import (
	"bytes"
	"errors"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// ErrClose is the error of a message whose fault closes its stream.
var ErrClose = errors.New("stream closed by an injected fault")

// ErrClientClosed is the error of an HTTP exchange that the client ended.
var ErrClientClosed = errors.New("the client closed the connection")

// A Lane is one direction of a stream of messages. It writes messages with their faults.
type Lane struct {
	write func([]byte) error          // writes bytes to the receiver
	frame func(message []byte) []byte // puts a message into the form of the stream
	back  *Lane                       // the other direction; nil if there is none

	mu      sync.Mutex
	hung    bool
	partial bool          // a part of a message was written, and its end was not
	after   [][]byte      // to be written after its end
	held    []byte        // waits for the next message
	timer   chan struct{} // closed when held is written
	failed  error
	pending sync.WaitGroup
	stop    chan struct{}
	once    sync.Once
}

// NewLane returns a lane that writes framed messages.
func NewLane(write func([]byte) error, frame func([]byte) []byte) *Lane {
	return &Lane{write: write, frame: frame, stop: make(chan struct{})}
}

// Connect makes lanes the two directions of one stream.
func Connect(a, b *Lane) { a.back, b.back = b, a }

// Line is the framing of stdio.
func Line(message []byte) []byte { return append(append([]byte{}, message...), '\n') }

// Send writes a message without a fault. A message that was held back follows it.
func (l *Lane) Send(raw []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.put(raw)
	l.release()
	return l.failed
}

// Part writes a part of a message without a fault. Others follow the last part.
func (l *Lane) Part(raw []byte, last bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.partial = false; len(raw) > 0 {
		l.put(raw)
	}
	if l.partial = !last; l.partial {
		return l.failed
	}
	for _, message := range l.after {
		l.put(message)
	}
	l.after = nil
	l.release()
	return l.failed
}

// put writes bytes, unless the lane hangs.
func (l *Lane) put(raw []byte) {
	switch {
	case l.hung || l.failed != nil:
	case l.partial:
		l.after = append(l.after, bytes.Clone(raw))
	default:
		l.failed = l.write(raw)
	}
}

func (l *Lane) release() {
	if l.held != nil {
		held := l.held
		l.held = nil
		close(l.timer)
		l.put(held)
	}
}

// Apply writes a message with a fault. Raw is the message as its sender framed it.
func (l *Lane) Apply(r *Rule, m *mcp.Message, raw []byte) error {
	switch r.Kind {
	case Delay:
		l.later(r.duration, nil, func() { l.put(raw) })
		return nil
	case Reorder:
		l.hold(raw, r.duration)
		return nil
	case Error:
		if m.IsRequest() && l.back != nil {
			return l.back.Send(l.back.frame(r.Changed(nil, m)))
		}
	case Drop:
		return nil
	case Close:
		return ErrClose
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch r.Kind {
	case Hang:
		l.hung = true
	case Duplicate:
		l.put(raw)
		l.put(raw)
	case Garbage:
		l.put(l.frame([]byte(garbage)))
		l.put(raw)
	case Slow:
		Drip(raw, r.duration, l.stop, func(piece []byte) error { l.put(piece); return l.failed })
	case Error, WrongID, Cut, Oversize, InvalidUTF8:
		l.put(l.frame(r.Changed(m.Frame.Body, m)))
	default:
		l.put(raw)
	}
	l.release()
	return l.failed
}

// later calls a function after a time, with the lock, unless it is canceled before.
func (l *Lane) later(after time.Duration, canceled <-chan struct{}, do func()) {
	l.pending.Go(func() {
		select {
		case <-time.After(after):
		case <-canceled:
			return
		case <-l.stop:
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		do()
	})
}

// hold keeps a message back until the next one has been written, or for a limited time.
func (l *Lane) hold(raw []byte, limit time.Duration) {
	l.mu.Lock()
	l.release()
	timer := make(chan struct{})
	l.held, l.timer = raw, timer
	l.mu.Unlock()
	l.later(limit, timer, func() {
		if l.timer == timer {
			l.release()
		}
	})
}

// Hung reports whether a fault has made the lane hang.
func (l *Lane) Hung() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hung
}

// Finish waits until delayed messages are written: their sender has ended, but has sent them before.
func (l *Lane) Finish() {
	l.mu.Lock()
	l.release()
	l.mu.Unlock()
	l.pending.Wait()
}

// Stop drops delayed messages, which have no reader.
func (l *Lane) Stop() { l.once.Do(func() { close(l.stop) }) }

// pieces is the maximum number of pieces of a slow message.
const pieces = 50

// Drip writes bytes in pieces over a time.
func Drip(raw []byte, over time.Duration, stop <-chan struct{}, write func([]byte) error) {
	count := min(pieces, len(raw))
	for i := range count {
		if write(raw[len(raw)*i/count:len(raw)*(i+1)/count]) != nil {
			return
		}
		select {
		case <-time.After(over / time.Duration(count)):
		case <-stop:
		}
	}
}
