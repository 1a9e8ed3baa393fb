package conform

import (
	"context"
	"runtime"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life013 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-013",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#timeouts"),
		Doc: `handshake should complete within 10 seconds

A host starts all its servers and waits for each handshake; some time out after 10 to 30 seconds and show the server as
failed. Respond to initialize first, then load models, indexes and connections. A server that mcptest starts is started
several times: the fastest handshake counts, because the machine may be busy during the others. Where more than two
processes waited for each processor during the first one, nothing is reported.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.Handshake(ctx)
		if err != nil {
			return err
		}
		if first := p.round.sessions.first; first != nil && first.Handshake != nil {
			ex = first.Handshake
		}
		if ex.Elapsed > slowStart && transportOf(p.Target.Transport()) == OnPipe && !p.round.processes.one() {
			// if it fails, the other starts are known
			_, _ = p.Open(ctx, nil)
			ex = p.round.fastest(ex)
		}
		switch {
		case ex.Elapsed > slowStart && isStarved(p.Target, p.round.sessions.load):
			return p.Skip("the machine was too busy to measure the start: %.0f processes for %d processors", p.round.sessions.load,
				runtime.NumCPU())
		case ex.Elapsed > slowStart:
			p.Report(Evidence{Exchange: ex}, "%s took %v: expected at most %v", ex.Request.Method,
				ex.Elapsed.Round(time.Second/10), slowStart)
		}
		return nil
	},
}

// fastest returns the handshake that took least time: the given one or one of another process.
func (r *revisionRun) fastest(ex *mcp.Exchange) *mcp.Exchange {
	r.validator.mu.Lock()
	defer r.validator.mu.Unlock()
	for _, s := range r.sessions.all {
		if h := s.Handshake; h != nil && h.Reply != nil && h.Reply.Error == nil && h.Elapsed < ex.Elapsed {
			ex = h
		}
	}
	return ex
}

// slowStart is how long a handshake may take before hosts time out.
const slowStart = 10 * time.Second
