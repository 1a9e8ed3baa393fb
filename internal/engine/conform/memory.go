package conform

import (
	"context"
	"sync"
)

// A memory stores results that several checks of a round use, so that they are requested once.
type memory struct {
	mu  sync.Mutex
	all map[string]*remembered
}

type remembered struct {
	turn
	found bool
	value any
}

// forget deletes the value stored under a name, so that it is determined again.
func (m *memory) forget(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
}

// remember returns what find returned when the name was first used in the round. A failed find is repeated.
func remember[T any](ctx context.Context, p *Pass, name string, find func() (T, error)) (value T, err error) {
	m := &p.round.memory
	m.mu.Lock()
	if m.all == nil {
		m.all = map[string]*remembered{}
	}
	r := m.all[name]
	if r == nil {
		r = &remembered{turn: newTurn()}
		m.all[name] = r
	}
	m.mu.Unlock()
	if err := p.await(ctx, r.turn); err != nil {
		return value, err
	}
	defer r.leave()
	if r.found {
		return r.value.(T), nil
	}
	value, err = find()
	if err == nil {
		r.value, r.found = value, true
	}
	return value, err
}
