package conform

import (
	"context"
	"sync"
)

// A resultCache stores results that several checks of a round use, so that they are requested once.
type resultCache struct {
	mu  sync.Mutex
	all map[string]*remembered
}

type remembered struct {
	semaphore
	found bool
	value any
}

// remove deletes the value stored under a name, so that it is determined again.
func (m *resultCache) remove(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
}

// remember returns what find returned when the name was first used in the round. A failed find is repeated.
func remember[T any](ctx context.Context, p *CheckContext, name string, find func() (T, error)) (value T, err error) {
	m := &p.round.cache
	m.mu.Lock()
	if m.all == nil {
		m.all = map[string]*remembered{}
	}
	r := m.all[name]
	if r == nil {
		r = &remembered{semaphore: newTurn()}
		m.all[name] = r
	}
	m.mu.Unlock()
	if err := p.await(ctx, r.semaphore); err != nil {
		return value, err
	}
	defer r.put()
	if r.found {
		return r.value.(T), nil
	}
	value, err = find()
	if err == nil {
		r.value, r.found = value, true
	}
	return value, err
}
