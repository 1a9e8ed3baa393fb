package cli

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
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
	if got, want := bar(mcp.Progress{Done: 5, Total: 10, Message: "half\nway"}, 80),
		"["+strings.Repeat("█", 12)+strings.Repeat("░", 12)+"]  50% half way"; got != want {
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

// Engines that run at the same time share the line; one alone has a bar.
func TestEnginesShareTheLine(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, width: func() int { return 80 }}
	drawn := func(s workbench.Step) string {
		t.Helper()
		out.Reset()
		p.last = time.Time{}
		p.step(s)
		return strings.TrimPrefix(out.String(), "\r\x1b[K")
	}
	if got, want := drawn(workbench.Step{Text: "connecting"}), "… connecting"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := drawn(workbench.Step{Part: "conform", Done: 1, Total: 4, Text: "a"}); !strings.HasSuffix(got, "25% a") {
		t.Errorf("%q, want a bar", got)
	}
	for _, step := range []struct {
		workbench.Step
		want string
	}{
		{workbench.Step{Part: "fuzz", Done: 7, Findings: 1, Text: "b"}, "… conform 25% · fuzz 7 · 1 finding · b"},
		{workbench.Step{Part: "conform", Done: 2, Total: 4, Findings: 2, Text: "c"},
			"… conform 50% · fuzz 7 · 3 findings · c"},
	} {
		if got := drawn(step.Step); got != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
}

// Hyperlinks are for terminals that are known to support them: others would show the escape sequence.
func TestHyperlinks(t *testing.T) {
	for environment, want := range map[string]bool{
		"": false, "TERM=xterm-256color": false, "TERM_PROGRAM=Apple_Terminal": false, "VTE_VERSION=7600": true,
		"VTE_VERSION=4900": false, "VTE_VERSION=x": false, "TERM_PROGRAM=vscode": true, "TERM_PROGRAM=tmux": false,
		"TERM_PROGRAM=tmux VTE_VERSION=7600": false, "WT_SESSION=1": true, "TERM=alacritty": true, "FORCE_HYPERLINK=1": true,
		"FORCE_HYPERLINK=0 WT_SESSION=1": false,
	} {
		set := map[string]string{}
		for _, one := range strings.Fields(environment) {
			name, value, _ := strings.Cut(one, "=")
			set[name] = value
		}
		if got := (&Env{Getenv: func(name string) string { return set[name] }}).hyperlinks(); got != want {
			t.Errorf("%s: %v, want %v", environment, got, want)
		}
	}
}
