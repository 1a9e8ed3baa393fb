package schema

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The clock of the backtracking engine ends a second after the last match.
func TestNoGoroutineIsLeft(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s := compile(t, `{"pattern":"^(?=a)(a+)+$"}`, nil)
	bad, _ := json.Marshal(strings.Repeat("a", 60) + "!")
	s.Validate(bad)
	_, _ = Compile(json.RawMessage(refBomb(40, twice)), nil)
	deadline := time.Now().Add(5 * time.Second)
	for {
		err := goleak.Find(ignore)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
