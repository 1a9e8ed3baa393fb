package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var stdio002 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `The server ends when its input ends.

Closing standard input is how a client says goodbye. A server that stays is killed in the best case, and in the worst keeps
its port, its lock and its memory. It has as long as an answer may take, and at least five seconds. A question of its own that
the client has not answered is no reason to stay: nobody will answer it any more.`,
	},
	On:   OnPipe,
	Slow: true,
	Run: func(ctx context.Context, p *Pass) error {
		f, err := p.farewell(ctx)
		if err != nil {
			return err
		}
		switch {
		case f.exited:
		case len(f.open) > 0:
			p.Report(Seen{Subject: "exit", Frames: f.open}, "the server did not exit within %v after its input was closed, with its %s not answered, and had to be ended; want it to exit by itself",
				f.grace, methodsOf(f.open))
		default:
			p.Report(Seen{Subject: "exit"}, "the server did not exit within %v after its input was closed, and had to be ended; want it to exit by itself", f.grace)
		}
		return nil
	},
}

// A farewell is how the server took the end of its input.
type farewell struct {
	grace  time.Duration // that it had
	exited bool          // it did so by itself, in time
	left   int           // processes that it left behind
	seen   bool          // whether that can be told on this system
	open   []wire.Frame  // questions of the server's, which nobody answers
}

// farewell closes the input of a server that has been greeted, once for all checks.
func (p *Pass) farewell(ctx context.Context) (farewell, error) {
	if p.Target.Transport() != wire.Stdio {
		return farewell{}, p.Skip("the server runs inside this program")
	}
	return remember(ctx, p, "farewell", func() (farewell, error) {
		f := farewell{grace: max(p.Target.Grace, p.Timeout(), exitGrace)}
		var mu sync.Mutex
		s, err := p.round.openAt(ctx, "farewell", mum, func(t *wire.Target) {
			t.Grace, t.LastWords = f.grace+wire.Linger, true
			t.OnLeft = func(count int) {
				mu.Lock()
				defer mu.Unlock()
				f.left, f.seen = count, true
			}
		})
		if err != nil {
			return f, err
		}
		started := time.Now()
		_ = s.Close()
		took := time.Since(started)
		mu.Lock()
		defer mu.Unlock()
		if f.left > 0 {
			took -= wire.Linger // that was waiting for those
		}
		f.exited = took < f.grace
		f.open = p.questions(s)
		return f, nil
	})
}

// exitGrace is how long a process may take to exit by itself.
const exitGrace = 5 * time.Second

// questions are the requests that a session's server sent, the first few of them.
func (p *Pass) questions(s *mcp.Session) (frames []wire.Frame) {
	name := p.round.nameOf(s) + "/"
	for _, one := range p.round.judge.seen(&p.round.judge.wanted) {
		if strings.HasPrefix(one.connection, name) && len(frames) < 3 {
			frames = append(frames, one.frames...)
		}
	}
	return frames
}

// methodsOf names the methods of some requests, each once.
func methodsOf(frames []wire.Frame) string {
	var names []string
	for _, f := range frames {
		if method := clip(mcp.Read(f).Method, 80); !slices.Contains(names, method) {
			names = append(names, method)
		}
	}
	return strings.Join(names, ", ")
}

// mum makes a client that answers no question.
func mum(o *mcp.Options) {
	o.Roots = func(ctx context.Context) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	question := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) { return o.Roots(ctx) }
	o.Sampling, o.Elicitation = question, question
}
