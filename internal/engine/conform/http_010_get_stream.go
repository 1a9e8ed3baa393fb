package conform

import (
	"context"
	"errors"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http010 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-010",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `GET must open an SSE stream or return 405

Clients open the stream to receive unsolicited messages from the server. 405 means that the server offers no stream;
clients treat any other response as an error. A server that sends no response headers until it has a message blocks clients
that wait for them.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		h := v.Header("", "")
		h.Set("Accept", "text/event-stream")
		h.Del("Content-Type")
		a, err := p.Fetch(ctx, Fetch{Method: http.MethodGet, Header: h, Open: true})
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			p.Report(Evidence{Subject: "GET"},
				"GET: got no HTTP response within %v, expected an SSE stream or 405", p.Timeout())
		case err != nil:
			return err
		case a.Status == http.StatusMethodNotAllowed, a.Status == http.StatusConflict:
		case a.Status != http.StatusOK || !a.Stream:
			p.Report(Evidence{Answer: a, Subject: "GET"},
				"GET: got HTTP %d and Content-Type %q, expected an SSE stream or 405", a.Status,
				clip.Text(a.Header.Get("Content-Type"), 60))
		}
		return nil
	},
}
