package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http032 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-032",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/transports#sending-messages-to-the-server"),
		Doc: `dropped SSE stream should not cancel the request

In revisions up to 2025-11-25, a lost connection is not a cancellation: a client that reconnects with Last-Event-ID
expects the response to its request. The check needs a server that replays the events of a stream, and a tool that
reports progress.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		tool, err := p.progressTool(ctx)
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
			return p.Skip("the stream of a call has no events with an ID before the response")
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
			p.Report(Evidence{Answer: a, Subject: tool.Name},
				"response lost after the SSE stream was closed, expected the call to continue")
		case reply.Error != nil:
			p.Report(Evidence{Answer: a, Subject: tool.Name},
				"after the SSE stream was closed: call returned %v, expected it to continue", reply.Error)
		}
		return nil
	},
}

// progressTool returns a tool that reported progress when it was called, and responded in time.
func (p *CheckContext) progressTool(ctx context.Context) (Tool, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return Tool{}, err
	}
	for _, c := range done {
		if causedNotification("notifications/progress")(c) && c.Result() != nil {
			return c.Tool, nil
		}
	}
	return Tool{}, p.Skip("no called tool reported progress")
}

// callOver calls a tool with a progressToken; if broken is set, the stream is closed after its first event.
func (p *CheckContext) callOver(ctx context.Context, v *HTTPSession, tool Tool, token string,
	broken bool) (*HTTPExchange,
	error) {
	return p.Fetch(ctx, Fetch{Header: v.Header("tools/call", tool.Name), Body: v.progressCall(tool, token),
		Broken: broken})
}

// replays reports whether the response on a stream that was read to its end can be requested again. Clients may request
// it, and servers may support it.
func (p *CheckContext) replays(ctx context.Context, v *HTTPSession, tool Tool) (bool, error) {
	whole, err := p.callOver(ctx, v, tool, "mcptest-whole", false)
	if err != nil || len(whole.Events) == 0 {
		return false, err
	}
	again, err := p.resume(ctx, v, whole.Events[0])
	return err == nil && again.Reply() != nil, err
}

// resume requests the events of a stream after a given event.
func (p *CheckContext) resume(ctx context.Context, v *HTTPSession, event string) (*HTTPExchange, error) {
	return p.Fetch(ctx, v.resumption(event))
}

// resumption returns the request for the events of a stream after a given event.
func (v *HTTPSession) resumption(event string) Fetch {
	h := v.streamHeader()
	h.Set("Last-Event-ID", event)
	return Fetch{Method: http.MethodGet, Header: h, Again: true}
}

// streamHeader returns the headers of a GET that opens a stream.
func (v *HTTPSession) streamHeader() http.Header {
	h := v.Header("", "")
	h.Del("Content-Type")
	h.Set("Accept", "text/event-stream")
	return h
}
