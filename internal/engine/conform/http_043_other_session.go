package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var http043 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-043",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#session-management"),
		Doc: `messages of one session must not reach another

Two clients are connected. One calls tools, and the other one waits: log messages with the arguments of these calls, and
progress of these calls, must not arrive there. A server that sends them to the streams of all sessions shows each user
what the others do. Send a message on the stream of the request that causes it, or of its session.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		waiting, err := p.RecordingSession(ctx, func(o *mcp.Options) { o.LogLevel = "debug" })
		if err != nil {
			return err
		}
		calling, err := p.Open(ctx, func(o *mcp.Options) { o.LogLevel = "debug" })
		if err != nil {
			return err
		}
		if waiting.Handshake == nil || waiting.Handshake.Header.Get("Mcp-Session-Id") == "" {
			return p.Skip("the server has no sessions")
		}
		for _, c := range done[:min(len(done), maxObserved)] {
			if causedRequest(c) {
				continue
			}
			t := c.Tool
			for _, name := range textArguments(t) {
				t.Arguments = withArgument(t, t.Arguments, name, `"`+callElsewhere+`"`)
			}
			if _, err := callWithProgress(ctx, calling, t, p.Timeout()); err != nil {
				return err
			}
		}
		p.WaitIdle(ctx) // for late messages
		for _, m := range waiting.all() {
			seen := Evidence{Subject: m.Method, Frames: []wire.Frame{m.Frame}, Led: true}
			switch {
			case m.Method == "notifications/progress":
				p.once(seen, "session without a call received progress of a call in another session, expected nothing")
			case m.Method == "notifications/message" && strings.Contains(string(m.Params), callElsewhere):
				p.once(seen, "session without a call received a log message with the arguments of a call in another "+
					"session, expected nothing")
			}
		}
		return nil
	},
}

// callElsewhere is a text that only one session sends.
const callElsewhere = "mcptest-other"
