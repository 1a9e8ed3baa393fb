package upstream

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A mortal is a toy that can be killed.
type mortal struct {
	toy
	start time.Duration // how long it takes to come up

	mu   sync.Mutex
	last int                // number of the process that was started last
	kill context.CancelFunc // ends it; nil when it has ended
}

func (m *mortal) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer m.began(cancel)()
	select {
	case <-time.After(m.start):
	case <-ctx.Done():
		return errors.New("killed")
	}
	ended := make(chan error, 1)
	reader, writer := io.Pipe()
	go func() { _, err := io.Copy(writer, in); _ = writer.CloseWithError(err) }()
	go func() { ended <- m.toy.serve(ctx, reader, out) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		_ = reader.Close()
		<-ended
		return errors.New("killed")
	}
}

// began notes a process, and returns how to note its end.
func (m *mortal) began(kill context.CancelFunc) (ended func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	m.kill = kill
	number := m.last
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.last == number {
			m.kill = nil
		}
	}
}

// die ends it, if it runs.
func (m *mortal) die() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kill == nil {
		return false
	}
	m.kill()
	return true
}

// The next call after a server was killed is served within a second, however often it was killed before and whether or
// not it had come up again in between (E1). The clock is the gateway's own: what the server takes to start is in it.
func TestRecoveryWithinASecond(t *testing.T) {
	for _, start := range []time.Duration{0, 100 * time.Millisecond, 500 * time.Millisecond} {
		// the last is never up within a storm
		synctest.Test(t, func(t *testing.T) {
			server := &mortal{start: start}
			s := Start("mortal", wire.Target{Serve: server.serve, Grace: time.Millisecond}, nil)
			defer s.Close()
			if _, err := s.Await(t.Context(), spec.Legacy); err != nil {
				t.Fatal(err)
			}
			if _, err := call(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			for range 15 * time.Second / (300 * time.Millisecond) {
				server.die()
				time.Sleep(300 * time.Millisecond)
			}
			for !server.die() { // the last one hits it too, whatever it is about
				time.Sleep(time.Millisecond)
			}
			killed := time.Now()
			for {
				_, err := call(t.Context(), s)
				if took := time.Since(killed); took > time.Second {
					t.Fatalf("start of %v: %v after %v, want a call that is served within a second", start, err, took)
				}
				if err == nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// A server that is never well, or that dies again and again whatever it answers, is left alone longer and longer.
func TestBackoff(t *testing.T) {
	for name, test := range map[string]struct {
		lasts  time.Duration
		worked bool
		within int // tries after which the longest wait is reached
	}{
		"never up":           {lasts: 10 * time.Millisecond, within: 10},
		"lists and dies":     {lasts: 100 * time.Millisecond, worked: true, within: fastRetries + 1},
		"works for a minute": {lasts: time.Minute, worked: true},
	} {
		t.Run(name, func(t *testing.T) {
			var b backoff
			now, last := time.Now(), time.Duration(0)
			for try := 1; try <= fastRetries+5; try++ {
				now = now.Add(test.lasts)
				wait, soon := b.next(now, test.lasts, test.worked)
				if wait < last || wait > maxBackoff || soon && wait > soonBackoff {
					t.Fatalf("try %d waits %v after %v (soon %v)", try, wait, last, soon)
				}
				if test.within > 0 && try > test.within && wait != maxBackoff {
					t.Fatalf("try %d waits %v, want %v", try, wait, maxBackoff)
				}
				now, last = now.Add(wait), wait
			}
			if test.within == 0 && last != 0 {
				t.Errorf("it waits %v, want to be started at once", last)
			}
		})
	}
}
