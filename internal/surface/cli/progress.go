package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A progress draws a server's progress on one line of a terminal. Elsewhere it draws nothing.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil where there is no terminal
	last  time.Time
	drawn bool
}

// The bar.
const (
	barWidth    = 24
	barInterval = 50 * time.Millisecond
	barMessage  = 50
)

func (a *app) newProgress() *progress {
	if !terminal(a.env.Stderr) || a.view.trace {
		return &progress{}
	}
	return &progress{w: a.env.Stderr}
}

// show draws the bar anew, but not more often than an eye can follow.
func (p *progress) show(step mcp.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || (now.Sub(p.last) < barInterval && step.Done < step.Total) {
		return
	}
	p.last, p.drawn = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", bar(step))
}

func bar(step mcp.Progress) string {
	message := []rune(strings.ReplaceAll(report.Visible(step.Message), "\n", " "))
	message = message[:min(len(message), barMessage)]
	if step.Total <= 0 {
		return fmt.Sprintf("… %g %s", step.Done, string(message))
	}
	share := min(max(step.Done/step.Total, 0), 1)
	full := int(share * barWidth)
	return fmt.Sprintf("[%s%s] %3.0f%% %s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full), share*100, string(message))
}

// clear takes the bar away, so that a line can be written in its place.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
