package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var cancel005 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `tool should stop when its call is cancelled

A user who stops a call expects the work to end. The call of a slow tool is cancelled while it is in progress, and the
server has read the cancellation, since it responds to a later request. Nevertheless, the tool reports more progress, or
returns its result at the same time as a call that is not cancelled. The work costs time and money, and what the user wanted
to prevent still happens. Pass the AbortSignal, context or cancel scope of the request to everything that the tool does.`,
	},
	Needs:   "tools",
	On:      OnPipe | OnHTTP,
	Scratch: true,
	Alone:   true, // durations are compared
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.slowest(ctx, p.Timeout()/2)
		if err != nil {
			return err
		}
		if len(tools) == 0 || tools[0].took < leastStopped {
			return p.Skip("no callable tool is slow enough to be stopped")
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		if transportOf(p.Target.Transport()) == OnHTTP && (p.Modern() || s.ID() == "") {
			return p.Skip("over HTTP, only a server with sessions shows what a cancelled call does")
		}
		for _, t := range tools {
			if t.took < leastStopped {
				break
			}
			call, err := p.stop(ctx, s, t)
			if err != nil {
				return err
			}
			if continued := call.continued(t.took); continued != "" {
				p.Report(Evidence{Subject: t.Name, Exchange: call.exchange, Led: true, Frames: call.frames}, "%s", continued)
				return nil
			}
		}
		return nil
	},
}

// Limits of a call that is stopped.
const (
	leastStopped  = 2 * slowCall           // its usual duration
	leastProgress = 2                      // notifications: one may say that the call was cancelled
	leastAfter    = 250 * time.Millisecond // how long after the cancellation the server still worked: what is on its way arrives earlier
)

// A stoppedCall is a call that was cancelled while it was in progress.
type stoppedCall struct {
	id       string        // of the request, and its progressToken
	sent     time.Time     // when the call was sent
	read     time.Time     // when a response showed that the server had read the cancellation
	exchange *mcp.Exchange // has no reply if none arrived
	frames   []wire.Frame  // of progress after the cancellation
}

// stop calls a tool, cancels the call, and waits for what arrives nevertheless.
func (p *CheckContext) stop(ctx context.Context, s *mcp.Session, t slowTool) (*stoppedCall, error) {
	id := strconv.FormatInt(s.ReserveID(), 10)
	meta := `{"progressToken":` + id + `}`
	if p.Modern() {
		meta = `{"progressToken":` + id + `,` + string(p.Meta()[1:])
	}
	body := mcp.Object("jsonrpc", "2.0", "id", json.RawMessage(id), "method", "tools/call", "params", mcp.Object("name", t.Name,
		"arguments", t.Arguments, "_meta", json.RawMessage(meta)))

	within, end := context.WithTimeout(ctx, t.took*3/2+time.Second)
	defer end()
	var group sync.WaitGroup
	defer group.Wait()
	call := &stoppedCall{id: id, sent: time.Now()}
	group.Go(func() { call.exchange, _ = s.CallRaw(within, json.RawMessage(id), body, nil) })
	select {
	case <-time.After(min(t.took/4, maxBeforeCancel)):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, err := p.SendRaw(ctx, s, fmt.Sprintf(
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"a test"}}`, id)); err != nil {
		end()
		return nil, err
	}
	if _, err := p.Alive(ctx, s); err != nil {
		end()
		return nil, err
	}
	call.read = time.Now()
	group.Wait()
	return call, nil
}

// continued says what shows that the tool did not stop; empty if nothing does. A result that arrives early may be one of a tool that
// stopped. A server that reads no message during a call cannot stop one, and sends nothing after it read the cancellation.
func (c *stoppedCall) continued(usual time.Duration) string {
	if c.exchange == nil {
		return ""
	}
	if reply := c.exchange.Reply; reply != nil {
		after := reply.Frame.Time.Sub(c.read)
		if reply.Error == nil && !hasFailed(c.exchange) && reply.Frame.Time.Sub(c.sent) >= usual*3/4 && after >= leastAfter {
			return "call was cancelled in progress: expected no response, got the result, as late as without a cancellation"
		}
	}
	for _, m := range c.exchange.Between {
		if m.Method == "notifications/progress" && string(At(m.Params, "/progressToken")) == c.id &&
			m.Frame.Time.Sub(c.read) >= leastAfter {
			c.frames = append(c.frames, m.Frame)
		}
	}
	if len(c.frames) >= leastProgress {
		return "call was cancelled in progress: expected no more progress notifications, got some afterwards"
	}
	return ""
}
