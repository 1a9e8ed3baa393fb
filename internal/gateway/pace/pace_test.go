package pace

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// flagged is a pacer whose process is a flag: true with one processor.
func flagged() (*Pacer, *atomic.Bool) {
	one := &atomic.Bool{}
	return &Pacer{narrow: func() { one.Store(true) }, widen: func() { one.Store(false) }}, one
}

// inTurn has requests answered one after the other.
func inTurn(p *Pacer, n int) {
	for range n {
		p.begin()
		p.end()
	}
}

func TestOneCallerGetsOneProcessor(t *testing.T) {
	p, one := flagged()
	inTurn(p, steady-1)
	if one.Load() {
		t.Fatal("one processor before it is clear that the caller waits for each answer")
	}
	inTurn(p, 1)
	if !one.Load() {
		t.Fatal("all processors for a caller who waits for each answer")
	}
}

func TestRareRequestsChangeNothing(t *testing.T) {
	p, one := flagged()
	inTurn(p, 1)
	p.since.Add(-int64(within)) // as if it had come that much earlier
	inTurn(p, steady-1)
	if one.Load() {
		t.Fatal("one processor for a caller who comes now and then")
	}
	inTurn(p, steady)
	if !one.Load() {
		t.Fatal("all processors for a caller who has become busy")
	}
}

func TestTwoAtOnceGetAllProcessors(t *testing.T) {
	p, one := flagged()
	inTurn(p, steady)
	p.begin()
	if !one.Load() {
		t.Fatal("the first request of two gave the processors back")
	}
	p.begin()
	if one.Load() {
		t.Fatal("two requests are answered at once by one processor")
	}
	p.end()
	p.end()
	inTurn(p, steady-1)
	if one.Load() {
		t.Fatal("one processor although two came at once not long ago")
	}
	inTurn(p, 1)
	if !one.Load() {
		t.Fatal("all processors although two came at once long ago")
	}
}

// A second request that came while the processors were being taken away could not see it.
func TestRequestWhileProcessorsAreTaken(t *testing.T) {
	p, one := flagged()
	take := p.narrow
	p.narrow = func() { p.underWay.Add(1); take() }
	inTurn(p, steady)
	if one.Load() {
		t.Error("two requests are answered at once by one processor")
	}
}

// However requests fall together, two that are being answered are never left with one processor.
func TestManyCallers(t *testing.T) {
	p, one := flagged()
	for range 2000 {
		inTurn(p, steady-1)
		var both sync.WaitGroup
		both.Go(p.begin)
		both.Go(p.begin)
		both.Wait()
		if one.Load() {
			t.Fatal("two requests are answered at once by one processor")
		}
		p.end()
		p.end()
	}
}

// A held backend answers when it is let.
type held struct {
	serve.Backend
	come, let chan struct{}
}

func (h held) Answer(context.Context, *serve.Call) (json.RawMessage, *serve.Error) {
	h.come <- struct{}{}
	<-h.let
	return nil, nil
}

func TestSubscriptionsAreNoWork(t *testing.T) {
	p, one := flagged()
	inTurn(p, steady)
	come, let := make(chan struct{}), make(chan struct{})
	back := p.Before(held{come: come, let: let})
	var open sync.WaitGroup
	for _, method := range []string{"subscriptions/listen", "tools/call", "subscriptions/listen"} {
		open.Go(func() {
			_, _ = back.Answer(t.Context(), &serve.Call{Inbound: &serve.Inbound{Message: serve.Message{Method: method}}})
		})
		<-come
	}
	close(let)
	open.Wait()
	if !one.Load() {
		t.Error("subscriptions count as requests that are being answered")
	}
	if got := p.underWay.Load(); got != 0 {
		t.Errorf("%d requests are under way; want none", got)
	}
}

// The process has its processors again when the gateway ends.
func TestStopGivesBack(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	all := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(all)
	p := New()
	inTurn(p, steady)
	if got := runtime.GOMAXPROCS(0); got != 1 {
		t.Errorf("%d processors for one caller; want 1", got)
	}
	p.Stop()
	if got := runtime.GOMAXPROCS(0); got == 1 && runtime.NumCPU() > 1 {
		t.Error("one processor is left after the end")
	}
	t.Setenv("GOMAXPROCS", "4")
	if p := New(); p != nil {
		t.Error("a pacer although GOMAXPROCS is set")
	} else {
		p.Stop()
	}
}
