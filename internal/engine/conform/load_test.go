package conform

import (
	"context"
	"io"
	"runtime"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func TestParseLoad(t *testing.T) {
	for text, want := range map[string]float64{"18.94 11.20 9.01 3/812 4711\n": 18.94, "": 0, "high": 0} {
		if got := parseLoad(text); got != want {
			t.Errorf("%q: got %v, expected %v", text, got, want)
		}
	}
}

// TestIsStarved expects only a server on a busy machine to be excused.
func TestIsStarved(t *testing.T) {
	process := wire.Target{Command: []string{"server"}}
	busy := float64(3 * runtime.NumCPU())
	for name, c := range map[string]struct {
		target wire.Target
		load   float64
		want   bool
	}{
		"busy":       {process, busy, true},
		"idle":       {process, 0.5, false},
		"unknown":    {process, 0, false},
		"remote":     {wire.Target{URL: "https://mcp.example.com/mcp"}, busy, false},
		"in-process": {wire.Target{Serve: func(context.Context, io.Reader, io.Writer) error { return nil }}, busy, false},
	} {
		if got := isStarved(c.target, c.load); got != c.want {
			t.Errorf("%s: got %v, expected %v", name, got, c.want)
		}
	}
}
