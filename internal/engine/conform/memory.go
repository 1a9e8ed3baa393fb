package conform

import "sync"

// A memory keeps what several checks of a round look at, so that it is asked for once.
type memory struct {
	mu  sync.Mutex
	all map[string]*remembered
}

type remembered struct {
	once  sync.Once
	value any
	err   error
}

// remember returns what find found when the name was first asked for in the round.
func remember[T any](p *Pass, name string, find func() (T, error)) (T, error) {
	m := &p.round.memory
	m.mu.Lock()
	if m.all == nil {
		m.all = map[string]*remembered{}
	}
	r := m.all[name]
	if r == nil {
		r = &remembered{}
		m.all[name] = r
	}
	m.mu.Unlock()
	r.once.Do(func() { r.value, r.err = find() })
	value, _ := r.value.(T)
	return value, r.err
}
