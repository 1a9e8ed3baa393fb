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
	})
}
