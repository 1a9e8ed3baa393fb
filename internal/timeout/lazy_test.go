package timeout

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestLazily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		ctx, cancel := Lazily(t.Context(), time.Second)
		if at, ok := ctx.Deadline(); !ok || !at.Equal(begun.Add(time.Second)) {
			t.Errorf("the deadline is %v, %v", at, ok)
		}
		time.Sleep(600 * time.Millisecond) // the timeout counts from the beginning
		child, stop := context.WithCancel(ctx)
		defer stop()
		<-child.Done()
		if got := time.Since(begun); got != time.Second {
			t.Errorf("it ended after %v, want 1s", got)
		}
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) || context.Cause(child) != context.DeadlineExceeded {
			t.Errorf("it ended with %v, %v", ctx.Err(), context.Cause(child))
		}
		cancel()
	})
}

func TestLazilyUnderAParent(t *testing.T) {
	why := errors.New("why")
	parent, stop := context.WithCancelCause(t.Context())
	ctx, cancel := Lazily(parent, time.Hour)
	waited, release := Lazily(parent, time.Hour)
	done := waited.Done()
	stop(why)
	<-done
	for name, c := range map[string]context.Context{"nobody has waited for": ctx, "somebody has waited for": waited} {
		if c.Err() != context.Canceled || context.Cause(c) != why {
			t.Errorf("the context that %s: %v, %v, want the cause of its parent", name, c.Err(), context.Cause(c))
		}
	}
	cancel()
	release()
	ended, end := Lazily(t.Context(), time.Hour)
	done = ended.Done()
	end()
	<-done
}
