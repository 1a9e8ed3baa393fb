package catalog

import (
	"context"
	"slices"
	"sync"
)

// A Kind is the kind of a change.
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Updated Kind = "updated" // also when a tool becomes stale or is no longer stale
	Removed Kind = "removed"
)

// A Change is a change of a tool: its new state, or its last state if it was removed.
type Change struct {
	Kind Kind
	Tool Tool
}

// Watch reports changes to the catalog, by this process and by others, in order. Changes that happen while the receiver
// is busy arrive together. The channel is closed when the context ends or the catalog is closed.
func (c *Catalog) Watch(ctx context.Context) <-chan []Change {
	w := &watcher{out: make(chan []Change), wake: make(chan struct{}, 1)}
	ctx, w.cancel = context.WithCancel(ctx)
	c.mu.Lock()
	if c.watchers == nil {
		w.cancel()
	} else {
		c.watchers[w] = true
	}
	c.mu.Unlock()
	w.done.Go(func() {
		defer close(w.out)
		w.run(ctx)
		c.mu.Lock()
		delete(c.watchers, w)
		c.mu.Unlock()
	})
	return w.out
}

// notify passes changes to the watchers. The catalog is locked.
func (c *Catalog) notify(changes []Change) {
	if len(changes) == 0 {
		return
	}
	for w := range c.watchers {
		w.add(changes)
	}
}

// A watcher passes changes to one receiver and buffers those that it cannot receive yet.
type watcher struct {
	out    chan []Change
	wake   chan struct{}
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu      sync.Mutex
	pending []Change
}

func (w *watcher) add(changes []Change) {
	w.mu.Lock()
	w.pending = append(w.pending, changes...)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *watcher) run(ctx context.Context) {
	for {
		select {
		case <-w.wake:
		case <-ctx.Done():
			return
		}
		w.mu.Lock()
		changes := slices.Clip(w.pending)
		w.pending = nil
		w.mu.Unlock()
		select {
		case w.out <- changes:
		case <-ctx.Done():
			return
		}
	}
}

// end stops the watcher and waits for it.
func (w *watcher) end() {
	w.cancel()
	w.done.Wait()
}
