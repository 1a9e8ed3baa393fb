package load

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A Call makes the call with number n. A *Failure that it returns is counted by its kind.
type Call func(ctx context.Context, n int) error

// A Failure is a call that did not succeed.
type Failure struct {
	Kind    string // few different values, used for counting
	Message string
	Silent  bool // there was no response
	Early   bool // nor a timeout, so its duration is meaningless
}

// noResponse is the kind of calls whose connection was lost, or that timed out.
const noResponse = "no response"

// Error describes the failure.
func (f *Failure) Error() string { return f.Kind + ": " + f.Message }

// Why a drive can stop early. It is the cause of its context.
var (
	errDeadlock = errors.New("calls no longer get responses")
	errDrained  = errors.New("time limit for responses reached")
	errDied     = errors.New("connection lost")
)

// liveInterval is how often the live view is updated.
const liveInterval = 500 * time.Millisecond

// Drive makes calls at a pace and waits for their responses. It reports progress to live, which may be nil. It returns
// early if calls no longer get responses, or if the context ends: then the calls in flight do not count.
func Drive(ctx context.Context, p Pace, call Call, live func(Live)) *Summary {
	p = p.withDefaults()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d := &driver{pace: p, call: call, start: time.Now()}
	d.stats = newTally(p, d.start)
	drained := time.AfterFunc(p.Duration+p.Drain, func() { cancel(errDrained) })
	defer drained.Stop()
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { d.watch(done, cancel) })
	watch.Go(func() { d.reportProgress(done, live) })
	if p.Rate > 0 {
		d.open(ctx)
	} else {
		d.closed(ctx)
	}
	d.wg.Wait()
	close(done)
	watch.Wait()
	s := d.stats.summary(p, time.Now())
	s.Deadlock = errors.Is(context.Cause(ctx), errDeadlock)
	s.Stopped = stopped(ctx)
	return s
}

// stopped reports whether a drive was stopped from outside, by the user or by a deadline.
func stopped(ctx context.Context) bool {
	cause := context.Cause(ctx)
	return cause != nil && cause != errDeadlock && cause != errDrained && cause != errDied
}

type driver struct {
	pace  Pace
	call  Call
	start time.Time
	stats *stats
	wg    sync.WaitGroup
}

// open makes each call when it is due, or as soon as the number of calls in flight allows it. Calls that could not be
// sent in time count with the time that they waited. A goroutine that has made a call takes the next one, so that few
// goroutines are started.
func (d *driver) open(ctx context.Context) {
	handed := make(chan dueCall)
	defer close(handed)
	for n, total, workers := 0, d.pace.Calls(), 0; n < total; n++ {
		next := dueCall{n, d.start.Add(d.pace.due(n))}
		if !sleepUntil(ctx, next.due) {
			d.stats.unsent(d.pace, n, time.Now())
			return
		}
		select {
		case handed <- next:
			continue
		default:
		}
		if workers < d.pace.Concurrency {
			workers++
			d.wg.Go(func() { d.work(ctx, next, handed) })
			continue
		}
		select {
		case handed <- next:
		case <-ctx.Done():
			d.stats.unsent(d.pace, n, time.Now())
			return
		}
	}
}

// A dueCall is a call that is due now.
type dueCall struct {
	n   int
	due time.Time
}

func (d *driver) work(ctx context.Context, next dueCall, handed <-chan dueCall) {
	for more := true; more; next, more = <-handed {
		d.one(ctx, next.n, next.due)
	}
}

// closed keeps this many calls in flight. A call is due when the previous one has its response, so a stall delays few
// of them.
func (d *driver) closed(ctx context.Context) {
	end := d.start.Add(d.pace.Duration)
	var made atomic.Int64
	for i := range d.pace.Concurrency {
		begin := d.start.Add(d.pace.Ramp * time.Duration(i) / time.Duration(d.pace.Concurrency))
		d.wg.Go(func() {
			if !sleepUntil(ctx, begin) {
				return
			}
			for now := time.Now(); ctx.Err() == nil && now.Before(end); now = time.Now() {
				d.one(ctx, int(made.Add(1)-1), now)
			}
		})
	}
}

func (d *driver) one(ctx context.Context, n int, due time.Time) {
	d.stats.begin(due, time.Now())
	err := d.call(ctx, n)
	switch {
	case err == nil:
	case stopped(ctx):
		d.stats.drop()
		return
	case ctx.Err() != nil && context.Cause(ctx) != errDied: // the call itself reports how it failed
		err = &Failure{Kind: noResponse, Message: context.Cause(ctx).Error(), Silent: true}
	}
	d.stats.end(due, time.Now(), err)
}

// watch stops the drive if calls are made and none has had a response for too long.
func (d *driver) watch(done <-chan struct{}, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(max(d.pace.Silence/20, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case now := <-ticker.C:
			if d.stats.silence(now) >= d.pace.Silence {
				cancel(errDeadlock)
				return
			}
		}
	}
}

func (d *driver) reportProgress(done <-chan struct{}, live func(Live)) {
	if live == nil {
		return
	}
	ticker := time.NewTicker(liveInterval)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case now := <-ticker.C:
			live(d.stats.live(now))
		}
	}
}

// sleepUntil waits until a time; it reports whether the context is still alive.
func sleepUntil(ctx context.Context, t time.Time) bool {
	wait := time.Until(t)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
