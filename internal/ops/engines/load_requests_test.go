package engines

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/load"
)

// TestWhyLeftOut wants one line of a stack trace, too.
func TestWhyLeftOut(t *testing.T) {
	got := whyLeftOut(&load.Failure{Message: "no such name\nTraceback:\n  File \"a.py\""}, nil)
	if want := `no such name Traceback: File "a.py"`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
