package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// An Input responds to server requests.
type Input = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

// A inFlightRequest is a request in flight, with its client.
type inFlightRequest struct {
	owner  any    // the client that made it
	caller string // the caller of that client
	// the method, and the tool or prompt: a kind that caused a server request once will cause one again. It is only
	// determined when it matters, see kindLocked
	kind      string
	request   *Request
	onMessage func(mcp.Message)
	input     Input
	number    int
	open      int // server requests that wait for the client's response
}

// kindLocked returns the kind of the request; the lock of its inFlight is held.
func (r *inFlightRequest) kindLocked() string {
	if r.kind == "" && r.request != nil {
		r.kind = kindOf(r.request)
	}
	return r.kind
}

// inFlight are the requests in flight on a line. A request from a process does not identify the client request that it
// belongs to; a guess could show one client the data of another. But a client request with a pending server request
// continues only after the response, and the others end: so a server request is held until it can belong to only one
// client. While one is held, no other client starts a request. A request of a kind that caused a server request before
// runs while no other client has one in progress, so that there is little left to hold; requests of other kinds run
// concurrently. While a client prepares its response, its request does not count, so that no other client waits for
// user input.
type inFlight struct {
	mu      sync.Mutex
	all     map[*inFlightRequest]bool
	last    int
	held    int             // server requests that are held until they can be assigned
	asking  map[string]bool // kinds of requests that caused a server request
	ended   [8]endedRequest // the last requests that have ended, as a ring
	next    int             // of the ring
	changed chan struct{}   // closed when a request ends or gets a server request; nil while nothing waits for it
}

// errAmbiguous rejects a server request that can never be assigned: all requests in flight wait for a response to a
// similar one.
var errAmbiguous = errors.New("ambiguous server request: several clients have in-flight requests")

func (f *inFlight) init() { f.all, f.asking = map[*inFlightRequest]bool{}, map[string]bool{} }

// enter adds a request, when it is its client's turn.
func (f *inFlight) enter(ctx context.Context, one *inFlightRequest) error {
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

func (f *inFlight) remove(one *inFlightRequest) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, one)
	if one.request != nil && one.request.Trace != "" {
		f.ended[f.next%len(f.ended)] = endedRequest{one.request.Trace, time.Now()}
		f.next++
	}
	f.notifyLocked()
}

// An endedRequest is a request that is no longer in flight.
type endedRequest struct {
	trace string
	at    time.Time
}

// endedRecently is how long after its response the output of a request may arrive.
const endedRecently = 100 * time.Millisecond

// maxTraces is how many traces are listed.
const maxTraces = 16

// traces lists the traces of the requests in flight, and of those that have just ended.
func (f *inFlight) traces() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for one := range f.all {
		if one.request != nil && one.request.Trace != "" {
			all = append(all, one.request.Trace)
		}
	}
	for _, e := range f.ended {
		if e.trace != "" && time.Since(e.at) < endedRecently {
			all = append(all, e.trace)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxTraces)]
}

func (f *inFlight) notifyLocked() {
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// waitLocked waits for the next change; the lock is released meanwhile.
func (f *inFlight) waitLocked(ctx context.Context) error {
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

// mustWait reports whether a request would make it harder to assign a server request: another client has a request in
// progress, and a server request is held, or one of the two requests is of a kind that causes server requests.
func (f *inFlight) mustWait(next *inFlightRequest) bool {
	if f.held == 0 && len(f.asking) == 0 {
		return false
	}
	for one := range f.all {
		if one.open == 0 && one.owner != next.owner &&
			(f.held > 0 || f.asking[one.kindLocked()] || f.asking[next.kindLocked()]) {
			return true
		}
	}
	return false
}

// match finds the request that a server request belongs to, and marks it as waiting for a response until done is
// called. It returns nil if no request is in flight.
func (f *inFlight) match(ctx context.Context) (one *inFlightRequest, done func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		working := f.active()
		if len(working) == 0 { // a waiting request may have a second server request at the same time
			working = f.everything()
		}
		switch owners := ownersOf(working); {
		case len(working) == 0:
			return nil, nil, nil
		case owners == 1 || f.held+1 >= len(working) && sameCaller(working):
			one = newest(working)
		case f.held+1 >= len(working):
			for _, each := range working {
				f.asking[each.kindLocked()] = true
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
		f.asking[one.kindLocked()] = true
		f.notifyLocked()
		return one, func() { f.finish(one) }, nil
	}
}

func (f *inFlight) finish(one *inFlightRequest) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one.open--
	f.notifyLocked()
}

// active lists the requests that do not wait for a response.
func (f *inFlight) active() []*inFlightRequest {
	var working []*inFlightRequest
	for one := range f.all {
		if one.open == 0 {
			working = append(working, one)
		}
	}
	return working
}

func (f *inFlight) everything() []*inFlightRequest {
	var all []*inFlightRequest
	for one := range f.all {
		all = append(all, one)
	}
	return all
}

// listeners are one request of each client, if all clients belong to one caller; otherwise none: a notification of a
// process does not identify its receiver.
func (f *inFlight) listeners() []*inFlightRequest {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.everything()
	if !sameCaller(all) && ownersOf(all) > 1 {
		return nil
	}
	seen := map[any]bool{}
	var one []*inFlightRequest
	for _, flight := range all {
		if flight.onMessage != nil && !seen[flight.owner] {
			seen[flight.owner] = true
			one = append(one, flight)
		}
	}
	return one
}

func ownersOf(list []*inFlightRequest) int {
	owners := map[any]bool{}
	for _, one := range list {
		owners[one.owner] = true
	}
	return len(owners)
}

func sameCaller(list []*inFlightRequest) bool {
	for _, one := range list {
		if one.caller == "" || one.caller != list[0].caller {
			return false
		}
	}
	return true
}

func newest(list []*inFlightRequest) *inFlightRequest {
	last := list[0]
	for _, one := range list {
		if one.number > last.number {
			last = one
		}
	}
	return last
}
