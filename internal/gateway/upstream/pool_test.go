package upstream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// toyPool is a pool of toys.
func toyPool(t *testing.T, processes int) *Pool {
	t.Helper()
	p := NewPool("toy", processes, time.Minute, func(id string, _ Owner) *Server {
		s := &toy{}
		return Start("toy", wire.Target{Serve: s.serve, Grace: 100 * time.Millisecond}, &Options{ID: id, Quiet: true})
	})
	t.Cleanup(p.Close)
	return p
}

// acquire takes a process that responds.
func acquire(t *testing.T, p *Pool, o Owner) Lease {
	t.Helper()
	l, err := p.Acquire(t.Context(), o, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Server.Await(t.Context(), spec.Legacy); err != nil {
		t.Fatal(err)
	}
	return l
}

func (p *Pool) owners() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, m := range p.members {
		all = append(all, m.owner.Caller)
	}
	return strings.Join(all, " ")
}

// A process that is in use is not stopped for another one: who needs one waits, and gets the place of the first that is
// released.
func TestPoolLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := toyPool(t, 2)
		a, b := acquire(t, p, Owner{Caller: "a"}), acquire(t, p, Owner{Caller: "b"})
		if again := acquire(t, p, Owner{Caller: "a"}); again.Server != a.Server {
			t.Error("the owner of a process got another one")
		} else {
			again.Release()
		}
		limited, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var overloaded *OverloadedError
		if _, err := p.Acquire(limited, Owner{Caller: "c"}, false); !errors.As(err, &overloaded) ||
			!strings.Contains(err.Error(), "all 2 processes are in use") {
			t.Errorf("%v, want an OverloadedError", err)
		}
		third := make(chan Lease)
		go func() { third <- acquire(t, p, Owner{Caller: "c"}) }()
		synctest.Wait()
		b.Release()
		c := <-third
		if got := p.owners(); got != "a c" {
			t.Errorf("processes of %q, want those of a and c", got)
		}
		a.Release()
		c.Release()
	})
}

// A request without a session gets a process of its caller that has no other request.
func TestPoolExclusive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := toyPool(t, 4)
		take := func() Lease {
			l, err := p.Acquire(t.Context(), Owner{Caller: "a"}, true)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = l.Server.Await(t.Context(), spec.Legacy)
			return l
		}
		one, two := take(), take()
		if one.Server == two.Server {
			t.Error("two requests at once share a process")
		}
		two.Release()
		if three := take(); three.Server != two.Server {
			t.Error("a process without a request is not used")
		} else {
			three.Release()
		}
		one.Release()
	})
}

// The caller with the most processes loses one first, so that many sessions of one caller do not stop those of others.
func TestPoolEviction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := toyPool(t, 4)
		acquire(t, p, Owner{Caller: "few"}).Release()
		for i := range 3 {
			acquire(t, p, Owner{Caller: "many", Session: i}).Release()
		}
		acquire(t, p, Owner{Caller: "new"}).Release()
		if got := p.owners(); got != "few many many new" {
			t.Errorf("processes of %q, want one less of the caller with many", got)
		}
	})
}

// Idle processes are stopped, but not while they have a subscription or a task; those of a session stop with it.
func TestPoolIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := toyPool(t, 4)
		l := acquire(t, p, Owner{Caller: "a"})
		release := l.Hold()
		l.Release()
		acquire(t, p, Owner{Caller: "b"}).Release()
		acquire(t, p, Owner{Caller: "c", Session: 1}).Release()
		time.Sleep(59 * time.Second)
		acquire(t, p, Owner{Caller: "b"}).Release() // its idle time starts again
		p.Leave(1)
		synctest.Wait()
		if got := p.owners(); got != "a b" {
			t.Errorf("processes of %q after the end of a session, want those of a and b", got)
		}
		time.Sleep(30 * time.Second)
		if got := p.owners(); got != "a b" {
			t.Errorf("processes of %q before the idle time", got)
		}
		time.Sleep(time.Hour)
		if got := p.owners(); got != "a" {
			t.Errorf("processes of %q, want that with a subscription", got)
		}
		release()
		time.Sleep(2 * time.Minute)
		if got := p.owners(); got != "" {
			t.Errorf("processes of %q, want none", got)
		}
		var h Health
		if p.AddTo(&h); h.Processes != 0 {
			t.Errorf("%d processes have not exited", h.Processes)
		}
	})
}

// A process that cannot be started is not kept.
func TestPoolUnstartable(t *testing.T) {
	p := NewPool("gone", 1, 0, func(id string, _ Owner) *Server {
		return Start("gone", wire.Target{Command: []string{"/nonexistent/server"}}, &Options{ID: id, Quiet: true})
	})
	defer p.Close()
	for _, caller := range []string{"a", "b"} {
		l, err := p.Acquire(t.Context(), Owner{Caller: caller}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Server.Await(t.Context(), spec.Legacy); err == nil {
			t.Error("it started")
		}
		l.Release()
		if got := p.owners(); got != "" {
			t.Errorf("processes of %q, want none", got)
		}
	}
}
