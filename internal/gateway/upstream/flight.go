package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// An Input answers what a server asks.
type Input = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

// A flight is a request under way, with those who care about it.
type flight struct {
	owner  any    // the client that it is made for
	caller string // who that client is
	kind   string // the method, and the tool or prompt: what has asked once will ask again
	hear   func(mcp.Message)
	input  Input
	number int
	open   int // questions of the server's that wait for the client's answer
}

// flights are the requests under way on a line. What a process asks does not tell which of them it is about; a guess could
// show one client what belongs to another. But a request that asks goes on only when it is answered, and the others end:
// so a question is held until a single client is left that it can be about. While one is held, no other client begins a
// request. A request of a kind that has asked before is the only one of its client's server while it works, so that there
// is little to hold any more; requests of other kinds go on beside each other. While a client thinks about its answer its
// request counts for nothing, so that nobody waits for a person.
type flights struct {
	mu      sync.Mutex
	all     map[*flight]bool
	last    int
	held    int             // questions that wait until they can be told
	asking  map[string]bool // kinds of requests that have asked something
	changed chan struct{}   // closed when a request ends or is asked; nil while nobody waits for it
}

// errAmbiguous refuses a question that never can be told: all requests under way wait for an answer to one like it.
var errAmbiguous = errors.New("several clients have requests under way that ask at once; which one is meant cannot be told")

func (f *flights) init() { f.all, f.asking = map[*flight]bool{}, map[string]bool{} }

// enter notes a request, when it is its client's turn.
func (f *flights) enter(ctx context.Context, one *flight) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.mustWait(one) {
		if err := f.waitLocked(ctx); err != nil {
			return err
		}
	}
	f.last++
	one.number = f.last
	f.all[one] = true
	return nil
}

func (f *flights) leave(one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, one)
	f.tellLocked()
}

func (f *flights) tellLocked() {
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// waitLocked waits for the next change; the lock is given back meanwhile.
func (f *flights) waitLocked(ctx context.Context) error {
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	changed := f.changed
	f.mu.Unlock()
	defer f.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// mustWait reports whether a request would make it harder to tell whom a question is for: another client is at work, and
// a question is held, or one of the two requests is of a kind that asks.
func (f *flights) mustWait(next *flight) bool {
	for one := range f.all {
		if one.open == 0 && one.owner != next.owner && (f.held > 0 || f.asking[one.kind] || f.asking[next.kind]) {
			return true
		}
	}
	return false
}

// meant finds the request that a question is about, and marks it as one that waits for an answer until done is called.
// It returns nil if no request is under way.
func (f *flights) meant(ctx context.Context) (one *flight, done func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		working := f.atWork()
		if len(working) == 0 { // what waits may ask a second thing at once
			working = f.everything()
		}
		switch owners := ownersOf(working); {
		case len(working) == 0:
			return nil, nil, nil
		case owners == 1 || f.held+1 >= len(working) && sameCaller(working):
			one = newest(working)
		case f.held+1 >= len(working):
			for _, each := range working {
				f.asking[each.kind] = true
			}
			return nil, nil, errAmbiguous
		default:
			f.held++
			err := f.waitLocked(ctx)
			if f.held--; err != nil {
				return nil, nil, err
			}
			continue
		}
		one.open++
		f.asking[one.kind] = true
		f.tellLocked()
		return one, func() { f.answered(one) }, nil
	}
}

func (f *flights) answered(one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one.open--
	f.tellLocked()
}

// atWork lists the requests that do not wait for an answer.
func (f *flights) atWork() []*flight {
	var working []*flight
	for one := range f.all {
		if one.open == 0 {
			working = append(working, one)
		}
	}
	return working
}

func (f *flights) everything() []*flight {
	var all []*flight
	for one := range f.all {
		all = append(all, one)
	}
	return all
}

// listeners are one request of each client, if all clients are one caller; else nobody: what a process tells does not say
// for whom it is.
func (f *flights) listeners() []*flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.everything()
	if !sameCaller(all) && ownersOf(all) > 1 {
		return nil
	}
	seen := map[any]bool{}
	var one []*flight
	for _, flight := range all {
		if flight.hear != nil && !seen[flight.owner] {
			seen[flight.owner] = true
			one = append(one, flight)
		}
	}
	return one
}

func ownersOf(list []*flight) int {
	owners := map[any]bool{}
	for _, one := range list {
		owners[one.owner] = true
	}
	return len(owners)
}

func sameCaller(list []*flight) bool {
	for _, one := range list {
		if one.caller == "" || one.caller != list[0].caller {
			return false
		}
	}
	return true
}

func newest(list []*flight) *flight {
	last := list[0]
	for _, one := range list {
		if one.number > last.number {
			last = one
		}
	}
	return last
}
