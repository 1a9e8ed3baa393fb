package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A progress draws progress on one line of a terminal. Elsewhere it draws nothing.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil without a terminal
	last  time.Time
	drawn bool
	parts []workbench.Step // the newest step of each engine that runs
	width func() int       // columns of the terminal
}

// The bar.
const (
	barWidth    = 24
	barInterval = 50 * time.Millisecond
	barColumns  = 80 // if the terminal does not report its width
)

func (a *app) newProgress() *progress {
	if !terminal(a.env.Stderr) || a.env.Getenv("TERM") == "dumb" || a.view.trace {
		return &progress{}
	}
	return &progress{w: a.env.Stderr, width: func() int { return cmp.Or(a.env.columns(a.env.Stderr), barColumns) }}
}

// step shows the progress of an operation. Engines that run at the same time share the line.
func (p *progress) step(s workbench.Step) {
	p.mu.Lock()
	if i := slices.IndexFunc(p.parts, func(o workbench.Step) bool { return o.Part == s.Part }); s.Part == "" {
		p.parts = nil
	} else if i >= 0 {
		p.parts[i] = s
	} else {
		p.parts = append(p.parts, s)
	}
	shown := s.Progress()
	if len(p.parts) > 1 {
		shown = together(p.parts, s.Text)
	}
	p.mu.Unlock()
	p.show(shown)
}

// together is the progress of several engines, with what the last one does.
func together(parts []workbench.Step, text string) mcp.Progress {
	var all []string
	findings := 0
	for _, s := range parts {
		findings += s.Findings
		if s.Total > 0 {
			all = append(all, fmt.Sprintf("%s %d%%", s.Part, 100*s.Done/s.Total))
		} else {
			all = append(all, fmt.Sprintf("%s %d", s.Part, s.Done))
		}
	}
	if findings > 0 {
		all = append(all, workbench.Plural(findings, "finding"))
	}
	return mcp.Progress{Message: strings.Join(append(all, text), " · ")}
}

// show redraws the bar, at a limited rate.
func (p *progress) show(step mcp.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || (now.Sub(p.last) < barInterval && (step.Done < step.Total || step.Total == 0)) {
		return
	}
	p.last, p.drawn = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", bar(step, p.width()))
}

// say draws a line in place of the bar.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil {
		p.drawn = true
		fmt.Fprintf(p.w, "\r\x1b[K%s", fit(report.Visible(line), p.width()-1))
	}
}

// bar draws a step in fewer than the given columns: a line that reaches the edge would wrap, and remain after
// redrawing. The bar takes a third, the message the rest.
func bar(step mcp.Progress, columns int) string {
	line := "… "
	if step.Done > 0 {
		line = fmt.Sprintf("… %g ", step.Done)
	}
	if step.Total > 0 {
		share := min(max(step.Done/step.Total, 0), 1)
		width := min(barWidth, columns/3)
		full := int(share * float64(width))
		line = fmt.Sprintf("[%s%s] %3.0f%% ", strings.Repeat("█", full), strings.Repeat("░", width-full), share*100)
	}
	return fit(line+strings.Join(strings.Fields(report.Visible(step.Message)), " "), columns-1)
}

// fit cuts text to a number of columns. A character outside of Latin, Greek and Cyrillic may take two.
func fit(text string, columns int) string {
	used := 0
	for i, r := range text {
		used++
		if r >= 0x1100 && !(r >= 0x2000 && r < 0x2e80) {
			used++
		}
		if used > columns {
			return text[:i]
		}
	}
	return text
}

// clear removes the bar, so that a line can be written in its place.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
