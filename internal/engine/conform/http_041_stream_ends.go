package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http041 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-041",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports#sending-messages-to-the-server"),
		Doc: `SSE stream of a request should end after the response

A client keeps the connection until the stream ends. Streams that stay open use up its connections and those of the
server: browsers allow six per host, and then every further request waits.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		seen := Evidence{}
		f := Fetch{Header: v.Header(p.pinged(), ""), Body: v.Body(p.pinged(), ""), Ending: streamEnd}
		a, err := p.Fetch(ctx, f)
		if err == nil && !a.Stream { // servers often stream only the responses to calls
			var tool Tool
			if tool, err = p.streamedTool(ctx); err == nil {
				seen.Subject = tool.Name
				f.Header, f.Body = v.Header("tools/call", tool.Name), v.progressCall(tool, "mcptest-end")
				a, err = p.Fetch(ctx, f)
			}
		}
		switch {
		case err != nil:
			return err
		case !a.Stream || a.Reply() == nil:
			return p.Skip("no response is an SSE stream")
		case a.Ended:
			return nil
		}
		if again, err := p.Fetch(ctx, f); err != nil || again.Ended { // the machine may have been slow
			return err
		}
		seen.Answer = a
		p.Report(seen, "stream still open %v after the response, expected it to end", streamEnd)
		return nil
	},
}

// streamedTool returns a tool whose response may be a stream: one that reported progress if there is one, or any.
func (p *CheckContext) streamedTool(ctx context.Context) (Tool, error) {
	tool, err := p.progressTool(ctx)
	if err == nil {
		return tool, nil
	}
	done, _ := p.Called(ctx)
	for _, c := range done {
		if c.Result() != nil {
			return c.Tool, nil
		}
	}
	return Tool{}, err
}

// streamEnd is how long a stream may stay open after the response.
const streamEnd = 5 * time.Second
