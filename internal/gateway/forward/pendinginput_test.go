package forward

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A request that the client does not continue in time is cancelled.
func TestPendingRequestsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l pendingStore
		var cancelled atomic.Bool
		state, err := l.add(&pendingRequest{caller: "ada", cancel: func() { cancelled.Store(true) }}, NewQuestion("", nil))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(InputTTL + time.Second)
		if l.fetch(state, "ada", "", "") != nil || !cancelled.Load() {
			t.Error("an unfinished call can be taken up after its time")
		}
		if got := l.count(); got != 0 {
			t.Errorf("%d requests are stored after their time, want 0", got)
		}
	})
}

// waitingRequest is a request of a caller whose server asks a question at once.
func waitingRequest(caller string, cancelled *atomic.Int32) *pendingRequest {
	k := &pendingRequest{caller: caller, questions: make(chan *Question, 1), done: make(chan struct{}),
		cancel: func() { cancelled.Add(1) }}
	k.questions <- NewQuestion("elicitation/create", nil)
	return k
}

// One request too many of a caller is cancelled; those of other callers are not affected, and Close cancels all.
func TestPendingRequestsAreLimited(t *testing.T) {
	f := New("")
	var ada, bob, last atomic.Int32
	for range maxPending {
		if _, err := f.await(t.Context(), waitingRequest("ada", &ada)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.await(t.Context(), waitingRequest("ada", &last)); err == nil || last.Load() != 1 {
		t.Errorf("one too many: error %v, %d cancelled; want an error and 1", err, last.Load())
	}
	if _, err := f.await(t.Context(), waitingRequest("bob", &bob)); err != nil || f.Unfinished() != maxPending+1 {
		t.Errorf("of another caller: error %v, %d unfinished", err, f.Unfinished())
	}
	f.Close()
	if ada.Load() != maxPending || bob.Load() != 1 || f.Unfinished() != 0 {
		t.Errorf("%d and %d cancelled, %d unfinished; want all", ada.Load(), bob.Load(), f.Unfinished())
	}
}
