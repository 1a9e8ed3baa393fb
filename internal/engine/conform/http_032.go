package conform

import (
	"context"
	"fmt"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http032 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-032",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/transports#sending-messages-to-the-server"),
		Doc: `A request goes on although its stream breaks.

In the older era a lost connection is an accident and no cancellation: a client that comes back with Last-Event-ID wants the
answer to what it asked. This can be seen on servers that replay the events of a stream, with a tool that tells its progress.`,
	},
	Since: "2025-03-26",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		tool, err := p.telling(ctx)
		if err != nil {
			return err
		}
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		broken, err := p.callOver(ctx, v, tool, "mcptest-broken", true)
		if err != nil {
			return err
		}
		if len(broken.Events) == 0 || broken.Reply() != nil {
			return p.Skip("the stream of a call has no events with an id before the answer")
		}
		if replays, err := p.replays(ctx, v, tool); err != nil || !replays {
			return errOr(err, p.Skip("the server does not replay the events of a stream"))
		}
		a, err := p.resume(ctx, v, broken.Events[0])
		if err != nil {
			return err
		}
		switch reply := a.Reply(); {
		case reply == nil:
			p.Report(Seen{Answer: a, Subject: tool.Name}, "after the stream of a call was closed its answer could not be had any more; want the call to go on")
		case reply.Error != nil:
			p.Report(Seen{Answer: a, Subject: tool.Name}, "after the stream of a call was closed the call came to %v; want it to go on", reply.Error)
		}
		return nil
	},
}

// telling is a tool that told its progress when it was called, and answered in time.
func (p *Pass) telling(ctx context.Context) (Tool, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return Tool{}, err
	}
	for _, c := range done {
		if tells("notifications/progress")(c) && c.Result() != nil {
			return c.Tool, nil
		}
	}
	return Tool{}, p.Skip("no tool that was called told its progress")
}

// callOver calls a tool and asks for progress with a token; with broken the stream is left after its first event.
func (p *Pass) callOver(ctx context.Context, v *Visit, tool Tool, token string, broken bool) (*Answer, error) {
	params := fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"progressToken":%q}}`, tool.Name, tool.Arguments, token)
	return p.Fetch(ctx, Fetch{Header: v.Header("tools/call", tool.Name), Body: v.Body("tools/call", params), Broken: broken})
}

// replays reports whether the answer on a stream that was read to its end can be had again. A client may ask for that, and a
// server may let it.
func (p *Pass) replays(ctx context.Context, v *Visit, tool Tool) (bool, error) {
	whole, err := p.callOver(ctx, v, tool, "mcptest-whole", false)
	if err != nil || len(whole.Events) == 0 {
		return false, err
	}
	again, err := p.resume(ctx, v, whole.Events[0])
	return err == nil && again.Reply() != nil, err
}

// resume asks for what came on a stream after an event.
func (p *Pass) resume(ctx context.Context, v *Visit, event string) (*Answer, error) {
	h := v.Header("", "")
	h.Del("Content-Type")
	h.Set("Accept", "text/event-stream")
	h.Set("Last-Event-ID", event)
	return p.Fetch(ctx, Fetch{Method: http.MethodGet, Header: h})
}
