package expression

import (
	"encoding/json"
	"testing"
	"time"
)

func TestExpressionBounds(t *testing.T) {
	e, err := Compile(`[limit(1e9; repeat(1))] | length > 0`)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, _, err := e.Holds(t.Context(), json.RawMessage(`{}`)); err == nil || time.Since(start) > 2*time.Second {
		t.Errorf("an endless expression: %v after %v, want an error soon", err, time.Since(start))
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
