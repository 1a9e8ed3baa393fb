package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// progressed lists the calls that reported progress.
func (p *CheckContext) progressed(ctx context.Context) ([]CallResult, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var some []CallResult
	for _, c := range done {
		if len(progressOf(c)) > 0 {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no called tool reported progress")
	}
	return some, nil
}

// progressOf lists the progress notifications of a call.
func progressOf(c CallResult) []mcp.Message {
	var some []mcp.Message
	for _, m := range c.Exchange.Between {
		if m.Method == "notifications/progress" {
			some = append(some, m)
		}
	}
	return some
}

// unasked calls some tools for a client that requests only emergency messages and no progress, once for all checks, and
// lists the notifications that it received.
func (p *CheckContext) unasked(ctx context.Context) ([]mcp.Message, error) {
	return remember(ctx, p, "unasked", func() ([]mcp.Message, error) {
		h := &recordingSession{}
		done, err := p.callAs(ctx, func(o *mcp.Options) { o.OnNotification, o.LogLevel = h.record, "emergency" },
			func(c CallResult) bool {
				return causedNotification("notifications/message")(c) || causedNotification("notifications/progress")(c)
			})
		if err != nil || len(done) == 0 {
			return nil, err
		}
		since := done[0].Exchange.Request.Frame.Seq // the level was set before; until then the server may log anything
		return slices.DeleteFunc(h.all(), func(m mcp.Message) bool { return m.Frame.Seq < since }), nil
	})
}

// progressCall returns the body of a call with a progressToken.
func (v *HTTPSession) progressCall(tool Tool, token string) string {
	params := fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool.Name, tool.Arguments)
	if !v.p.Modern() {
		params = fmt.Sprintf(`{"_meta":{"progressToken":%q},%s`, token, params[1:])
		return v.Body("tools/call", params)
	}
	return strings.Replace(v.Body("tools/call", params), `"_meta":{`,
		fmt.Sprintf(`"_meta":{"progressToken":%q,`, token), 1)
}
