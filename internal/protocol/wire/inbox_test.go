package wire

import (
	"io"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// A flood before Feed is called holds its sender back; nothing of it is lost or overtaken, and the end comes last.
func TestFeedTakesWhatWaited(t *testing.T) {
	const frames = 3 * inboxSize
	b := newInbox()
	var want []string
	for i := range frames {
		want = append(want, strconv.Itoa(i))
	}
	go func() {
		for _, name := range want {
			b.put(Frame{Stream: name})
		}
		b.finish(io.EOF)
	}()
	for len(b.frames) < inboxSize { // until the sender is held back
		runtime.Gosched()
	}
	var mu sync.Mutex
	var got []string
	b.Feed(func(f Frame) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, f.Stream)
	})
	if f, err := b.Recv(t.Context()); err != io.EOF {
		t.Fatalf("Recv = %q (%v), want the end", f.Stream, err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d frames were taken, want %d in their order", len(got), len(want))
	}
}

// After the end nobody is handed anything.
func TestFeedEndsWithTheConnection(t *testing.T) {
	b := newInbox()
	taken := 0
	b.Feed(func(Frame) { taken++ })
	b.put(Frame{})
	b.shut()
	if b.put(Frame{}) || taken != 1 {
		t.Errorf("%d frames were taken, want the one before the end", taken)
	}
}
