// Package pace fits the processors that a gateway uses to how its callers come.
//
// One caller who waits for each answer keeps a gateway awake in short steps, each in a goroutine of its own: reading, passing on,
// hearing the answer, writing. With several processors every step wakes another thread, which looks around for more work and finds
// none. That is a quarter of what such a call costs, and it makes the call slower. So such a caller gets one processor, and the
// others are back with the first request that comes while another is being answered.
package pace

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A caller is one who waits for each answer once this many requests in turn have come within this time. What comes now and then
// costs nothing worth saving.
const (
	steady = 100
	within = time.Second
)

// A Pacer knows how many requests are being answered.
type Pacer struct {
	narrow, widen func() // what it does to the process

	underWay atomic.Int64
	inTurn   atomic.Int64 // how many have come in turn, none while another was being answered
	since    atomic.Int64 // when the first of them came
	alone    atomic.Bool  // there is one processor

	mu sync.Mutex // held while that changes
}

// New returns the pacer of this process, or nil where the environment says how many processors there are to be.
func New() *Pacer {
	if os.Getenv("GOMAXPROCS") != "" || runtime.GOMAXPROCS(0) == 1 {
		return nil
	}
	return &Pacer{narrow: func() { runtime.GOMAXPROCS(1) }, widen: runtime.SetDefaultGOMAXPROCS}
}

// Before returns a backend whose requests are counted. The nil Pacer changes nothing.
func (p *Pacer) Before(next serve.Backend) serve.Backend {
	if p == nil {
		return next
	}
	return &paced{Backend: next, pacer: p}
}

// Stop gives all processors back. No request may come any more.
func (p *Pacer) Stop() {
	if p != nil {
		p.give()
	}
}

// begin counts a request that is to be answered, and end one that has been.
func (p *Pacer) begin() {
	if p.underWay.Add(1) > 1 {
		p.inTurn.Store(0)
		if p.alone.Load() {
			p.give()
		}
		return
	}
	switch p.inTurn.Add(1) {
	case 1:
		p.since.Store(time.Now().UnixNano())
	case steady:
		if time.Now().UnixNano()-p.since.Load() > int64(within) {
			p.inTurn.Store(0)
			return
		}
		p.take()
	}
}

func (p *Pacer) end() { p.underWay.Add(-1) }

// take takes all processors but one away.
func (p *Pacer) take() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.alone.Swap(true) {
		return
	}
	p.narrow()
	if p.underWay.Load() > 1 { // it came too early to see that we were alone
		p.giveLocked()
	}
}

// give gives all processors back.
func (p *Pacer) give() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveLocked()
}

func (p *Pacer) giveLocked() {
	if p.alone.Swap(false) {
		p.widen()
	}
}

// A paced backend is one whose requests are counted.
type paced struct {
	serve.Backend
	pacer *Pacer
}

// Answer counts the request while it is answered. A subscription is no work: it stays open as long as the client likes.
func (b *paced) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	if c.Method == "subscriptions/listen" {
		return b.Backend.Answer(ctx, c)
	}
	b.pacer.begin()
	defer b.pacer.end()
	return b.Backend.Answer(ctx, c)
}
