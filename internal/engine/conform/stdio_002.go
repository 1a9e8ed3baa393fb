package conform

import (
	"context"
	"encoding/json"
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
		if p.Target.Transport() != wire.Stdio {
			return p.Skip("the server runs inside this program")
		}
		grace := max(p.Target.Grace, p.Timeout(), exitGrace)
		s, err := p.round.openAt(ctx, p.Check.ID, mum, func(t *wire.Target) { t.Grace = grace })
		if err != nil {
			return err
		}
		started := time.Now()
		_ = s.Close()
		if time.Since(started) >= grace {
			p.Report(Seen{Subject: "exit"}, "the server did not exit within %v after its input was closed, and had to be ended; want it to exit by itself", grace)
		}
		return nil
	},
}

// exitGrace is how long a process may take to exit by itself.
const exitGrace = 5 * time.Second

// mum makes a client that answers no question.
func mum(o *mcp.Options) {
	o.Roots = func(ctx context.Context) (json.RawMessage, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	question := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) { return o.Roots(ctx) }
	o.Sampling, o.Elicitation = question, question
}
