package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// The bar stays on its line, on a narrow terminal as on a wide one.
func TestBarFitsTheTerminal(t *testing.T) {
	step := mcp.Progress{Done: 3, Total: 10, Message: strings.Repeat("a long message ", 20)}
	for _, columns := range []int{20, 40, 80, 200} {
		for _, total := range []float64{0, 10} {
			step.Total = total
			if got := utf8.RuneCountInString(bar(step, columns)); got != columns-1 {
				t.Errorf("on %d columns with total %g the bar takes %d; want %d", columns, total, got, columns-1)
			}
		}
	}
	if got, want := bar(mcp.Progress{Done: 5, Total: 10, Message: "half\nway"}, 80), "["+strings.Repeat("█", 12)+strings.Repeat("░", 12)+"]  50% half way"; got != want {
		t.Errorf("bar = %q, want %q", got, want)
	}
	if got, want := fit("日本語", 5), "日本"; got != want {
		t.Errorf("fit = %q, want %q", got, want)
	}
}

// What is being waited for stands on one line of a terminal and goes again; a pipe is told nothing.
func TestSayGoesAgain(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, width: func() int { return 12 }}
	p.say("waiting for demo")
	p.clear()
	p.clear()
	if got, want := out.String(), "\r\x1b[Kwaiting for\r\x1b[K"; got != want {
		t.Errorf("say and clear drew %q, want %q", got, want)
	}
	(&progress{}).say("waiting for demo")
}
