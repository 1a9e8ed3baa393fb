package workbench

import (
	"sync"
	"time"
)

// patienceFactor is how many times its patience a request may take in all, whatever progress it reports.
const patienceFactor = 5

// A patience runs out after a time of silence, and after a multiple of it in all. It stands still while the server waits
// for us.
type patience struct {
	each   time.Duration
	expire func(hard bool, after time.Duration)

	mu    sync.Mutex
	left  time.Duration // of the whole
	since time.Time     // when left was right
	held  int           // questions that we have not answered
	over  bool
	timer *time.Timer
}

func newPatience(each time.Duration, expire func(hard bool, after time.Duration)) *patience {
	p := &patience{each: each, expire: expire, left: patienceFactor * each, since: time.Now()}
	p.timer = time.AfterFunc(each, p.ranOut)
	return p
}

func (p *patience) ranOut() {
	p.mu.Lock()
	if p.held > 0 || p.over {
		p.mu.Unlock()
		return
	}
	p.over = true
	p.spend()
	hard, after := p.left <= 0, p.each
	p.mu.Unlock()
	if hard {
		after *= patienceFactor
	}
	p.expire(hard, after)
}

// touch says that the server gave a sign of life.
func (p *patience) touch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == 0 && !p.over {
		p.spend()
		p.timer.Reset(max(0, min(p.each, p.left)))
	}
}

// hold stops the clock until release is called as often.
func (p *patience) hold() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == 0 {
		p.spend()
		p.timer.Stop()
	}
	p.held++
}

func (p *patience) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held--; p.held == 0 && !p.over {
		p.since = time.Now()
		p.timer.Reset(max(0, min(p.each, p.left)))
	}
}

func (p *patience) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.timer.Stop()
}

// spend takes the time that passed off the whole; not while the clock stands still.
func (p *patience) spend() {
	now := time.Now()
	p.left -= now.Sub(p.since)
	p.since = now
}
