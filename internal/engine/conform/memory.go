package conform

import (
	"context"
	"sync"
)

// A memory keeps what several checks of a round look at, so that it is asked for once.
type memory struct {
	mu  sync.Mutex
	all map[string]*remembered
}

type remembered struct {
	turn
	found bool
	value any
}

// forget has what was found under a name asked for again.
func (m *memory) forget(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
}

// remember returns what find found when the name was first asked for in the round. What ended with an error is asked for
// again.
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
