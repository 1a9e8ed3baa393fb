package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
)

// The clock of the backtracking engine ends a second after the last match.
func TestNoGoroutineIsLeft(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	s := compile(t, `{"pattern":"^(?=a)(a+)+$"}`, nil)
	bad, _ := json.Marshal(strings.Repeat("a", 60) + "!")
	s.Validate(bad)
	_, _ = Compile(json.RawMessage(refBomb(40, twice)), nil)
	if err := leaktest.Find(ignore); err != nil {
		t.Error(err)
	}
}
