package conform

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// A shutdownResult describes how the server reacted to the end of its input.
type shutdownResult struct {
	grace     time.Duration // how long it had
	exited    bool          // it exited on its own, in time
	remaining int           // processes that it left running
	seen      bool          // whether that can be determined on this system
	open      []wire.Frame  // server requests, which get no response
}

// shutdown closes the input of a server after the handshake, once for all checks.
func (p *CheckContext) shutdown(ctx context.Context) (shutdownResult, error) {
	if p.Target.Transport() != wire.Stdio {
		return shutdownResult{}, p.Skip("server runs in-process")
	}
	return remember(ctx, p, "farewell", func() (shutdownResult, error) {
		f := shutdownResult{grace: max(p.Target.Grace, p.Timeout(), exitGrace)}
		var mu sync.Mutex
		var busy time.Duration
		s, err := p.round.openAt(ctx, "farewell", unansweringClient, func(t *wire.Target) {
			t.Grace, t.LastWords = f.grace+supervise.LingerTimeout, true
			t.OnBusy = func(d time.Duration) { busy = d }
			t.OnLeft = func(count int) {
				mu.Lock()
				defer mu.Unlock()
				f.remaining, f.seen = count, true
			}
		})
		if err != nil {
			return f, err
		}
		started := time.Now()
		_ = s.Close()
		took := time.Since(started) - busy // a busy machine is not the server's fault
		mu.Lock()
		defer mu.Unlock()
		if f.remaining > 0 {
			took -= supervise.LingerTimeout // that was waiting for those
		}
		f.exited = took < f.grace
		f.open = p.questions(s)
		return f, nil
	})
}

// exitGrace is how long a process may take to exit on its own.
const exitGrace = 5 * time.Second

// questions returns the first requests that the server of a session sent.
func (p *CheckContext) questions(s *mcp.Session) (frames []wire.Frame) {
	name := p.round.nameOf(s) + "/"
	for _, one := range p.round.validator.observations(&p.round.validator.serverRequests) {
		if strings.HasPrefix(one.connection, name) && len(frames) < 3 {
			frames = append(frames, one.frames...)
		}
	}
	return frames
}

// unansweringClient configures a client that responds to no request.
func unansweringClient(o *mcp.Options) {
	o.Roots = func(ctx context.Context) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	question := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) { return o.Roots(ctx) }
	o.Sampling, o.Elicitation = question, question
}
