package expression

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestBoundedEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, release := bounded(t.Context())
		defer release()
		time.Sleep(timeLimit - time.Millisecond)
		if ctx.Err() != nil {
			t.Errorf("%v before the time was over", ctx.Err())
		}
		<-ctx.Done()
		if cause := context.Cause(ctx); cause != errTooLong {
			t.Errorf("ended with %v; want %v", cause, errTooLong)
		}
	})
}

func TestExpressionBounds(t *testing.T) {
	e, err := Compile(`[limit(1e9; repeat(1))] | length > 0`)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := e.Holds(t.Context(), json.RawMessage(`{}`)); err == nil ||
		!strings.Contains(err.Error(), "took longer than") {
		t.Errorf("an endless expression: %v, want that it took too long", err)
	}
	if e, err := Compile(`env | length == 0`); err == nil {
		if holds, _, _ := e.Holds(t.Context(), json.RawMessage(`{}`)); !holds {
			t.Error("an expression sees the environment")
		}
	}
	if _, err := Compile(`.a |`); err == nil {
		t.Error("a broken expression was compiled")
	}
}
