package store

import (
	"context"
	"sync"
)

// watchers are the channels for change notifications. A full channel already has a pending notification.
type watchers struct {
	mu     sync.Mutex
	all    map[chan struct{}]func() bool
	closed bool
}

// add creates a channel that lives until the context ends or the watchers are closed.
func (w *watchers) add(ctx context.Context) <-chan struct{} {
	ch := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		close(ch)
		return ch
	}
	if w.all == nil {
		w.all = map[chan struct{}]func() bool{}
	}
	w.all[ch] = context.AfterFunc(ctx, func() { w.remove(ch) })
	return ch
}

func (w *watchers) remove(ch chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.all[ch]; ok {
		delete(w.all, ch)
		close(ch)
	}
}

func (w *watchers) notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.all {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for ch, stop := range w.all {
		stop()
		close(ch)
	}
	w.all = nil
}
