package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A tower is a line with requests of clients under way.
type tower struct {
	*conn
	heard, asked tally
}

// A tally counts by name.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tally) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[name]++
}

func (c *tally) all() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.n)
}

func newTower() *tower {
	return &tower{conn: newLine(&Server{}, "")}
}

// inFlightRequest begins a request; answering takes as long as the client thinks.
func (w *tower) flight(t *testing.T, owner, caller string, thinks time.Duration) *inFlightRequest {
	t.Helper()
	f := &inFlightRequest{owner: owner, caller: caller, onMessage: func(mcp.Message) { w.heard.add(owner) }}
	f.input = func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		w.asked.add(owner)
		time.Sleep(thinks)
		return json.RawMessage(`{}`), nil
	}
	if err := w.inFlight.enter(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	return f
}

// What a process tells without saying for whom is told to nobody if it could be for two callers.
func TestStrayMessagesAreNotGuessed(t *testing.T) {
	w := newTower()
	log := mcp.Message{Method: "notifications/message"}
	a := w.flight(t, "ada", "ada", 0)
	w.flight(t, "ada", "ada", 0)
	w.handleUnsolicited(log)
	again := w.flight(t, "ada's other window", "ada", 0)
	w.handleUnsolicited(log)
	w.inFlight.remove(again)
	b := w.flight(t, "bob", "bob", 0)
	w.handleUnsolicited(log)
	w.inFlight.remove(b)
	w.handleUnsolicited(log)
	w.inFlight.remove(a)
	if w.heard.all()["ada"] != 3 || w.heard.all()["ada's other window"] != 1 || w.heard.all()["bob"] != 0 {
		t.Errorf("heard %v, want ada three times, her other window once and bob never", w.heard.all())
	}
}

func TestAQuestionWithoutAnybody(t *testing.T) {
	if _, err := newTower().conn.onRequest(t.Context(), "roots/list", nil); err == nil {
		t.Error("a question without anybody to answer was answered")
	}
}

// A question that could be for two is held until one of them has its answer.
func TestAQuestionIsHeldUntilItCanBeTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTower()
		a, b := w.flight(t, "ada", "ada", time.Hour), w.flight(t, "bob", "bob", 0)
		done := make(chan error, 1)
		go func() { _, err := w.conn.onRequest(t.Context(), "roots/list", nil); done <- err }()
		time.Sleep(time.Second)
		if len(w.asked.all()) != 0 {
			t.Fatalf("asked %v while it could be either", w.asked.all())
		}
		w.inFlight.remove(b) // it was answered, so it did not ask
		synctest.Wait()
		if w.asked.all()["ada"] != 1 || w.asked.all()["bob"] != 0 {
			t.Errorf("asked %v, want ada", w.asked.all())
		}
		// While ada thinks, bob is served; what is asked then is his.
		b = w.flight(t, "bob", "bob", 0)
		if _, err := w.conn.onRequest(t.Context(), "roots/list", nil); err != nil || w.asked.all()["bob"] != 1 {
			t.Errorf("%v, asked %v; want bob", err, w.asked.all())
		}
		w.inFlight.remove(b)
		if err := <-done; err != nil {
			t.Error(err)
		}
		w.inFlight.remove(a)
	})
}

// After its first question the clients of a server take turns.
func TestClientsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTower()
		a, b := w.flight(t, "ada", "ada", 0), w.flight(t, "bob", "bob", 0)
		done := make(chan error, 2)
		ask := func() { _, err := w.conn.onRequest(t.Context(), "roots/list", nil); done <- err }
		go ask()
		synctest.Wait()
		ask() // both wait for an answer now: one is refused, and so ends
		if err := <-done; err == nil {
			t.Error("of two questions that cannot be told apart one was answered")
		}
		w.inFlight.remove(b)
		if err := <-done; err != nil || w.asked.all()["ada"] != 1 {
			t.Errorf("%v, asked %v; want ada", err, w.asked.all())
		}
		var entered atomic.Bool
		go func() { w.flight(t, "bob", "bob", 0); entered.Store(true) }()
		time.Sleep(time.Second)
		if entered.Load() {
			t.Error("bob did not wait for ada")
		}
		w.inFlight.remove(a)
		synctest.Wait()
		if !entered.Load() {
			t.Error("bob waits although ada is served")
		}
	})
}

// Only requests of a kind that has asked take turns: the others go on beside each other, as do those of one client that
// has no session and so is another owner in each request.
func TestOtherKindsTakeNoTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTower()
		begin := func(owner, kind string) (*inFlightRequest, *atomic.Bool) {
			f, entered := &inFlightRequest{owner: owner, caller: "ada", kind: kind, input: answerNothing},
				&atomic.Bool{}
			go func() { entered.Store(w.inFlight.enter(t.Context(), f) == nil) }()
			synctest.Wait()
			return f, entered
		}
		ask, _ := begin("1", "tools/call ask")
		if _, err := w.conn.onRequest(t.Context(), "elicitation/create", nil); err != nil {
			t.Fatal(err)
		}
		w.inFlight.remove(ask)

		long, _ := begin("2", "tools/call long")
		quick, entered := begin("3", "tools/call quick")
		if !entered.Load() {
			t.Error("a call waits for another although neither of the tools has ever asked")
		}
		asks, entered := begin("4", "tools/call ask")
		if entered.Load() {
			t.Error("a call of a tool that asks did not wait for the others")
		}
		w.inFlight.remove(long)
		w.inFlight.remove(quick)
		synctest.Wait()
		if !entered.Load() {
			t.Error("a call of a tool that asks waits although nobody is at work")
		}
		if _, entered = begin("5", "tools/call quick"); entered.Load() {
			t.Error("a call did not wait for one of a tool that asks")
		}
		w.inFlight.remove(asks)
		synctest.Wait()
		if !entered.Load() {
			t.Error("a call waits although nobody is at work")
		}
	})
}

func answerNothing(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{}`), nil
}

// While a question is held, no request of another client begins.
func TestNothingBeginsWhileAQuestionIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTower()
		first := w.flight(t, "ada", "ada", 0)
		second := w.flight(t, "bob", "bob", 0)
		go func() { _, _ = w.conn.onRequest(t.Context(), "roots/list", nil) }()
		synctest.Wait()
		var entered atomic.Bool
		go func() { w.flight(t, "cy", "cy", 0); entered.Store(true) }()
		synctest.Wait()
		if entered.Load() {
			t.Error("a request began while a question was held")
		}
		w.inFlight.remove(first)
		w.inFlight.remove(second)
		synctest.Wait()
		if !entered.Load() {
			t.Error("a request waits although nobody is at work")
		}
	})
}

// Two windows of one caller have nothing to hide from each other: when both ask at once the newest request is asked
// first.
func TestOneCallerInTwoWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTower()
		w.flight(t, "window 1", "ada", time.Second)
		w.flight(t, "window 2", "ada", time.Second)
		done := make(chan error, 2)
		ask := func() { _, err := w.conn.onRequest(t.Context(), "roots/list", nil); done <- err }
		go ask()
		synctest.Wait()
		if len(w.asked.all()) != 0 {
			t.Errorf("asked %v at once, want the question to be held while the other may end", w.asked.all())
		}
		go ask()
		if err := errors.Join(<-done, <-done); err != nil || w.asked.all()["window 2"] == 0 {
			t.Errorf("%v, asked %v; want both questions answered", err, w.asked.all())
		}
	})
}
