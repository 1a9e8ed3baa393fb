package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http001 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `request must be answered as application/json or text/event-stream

A client uses Content-Type to decide how to read the response: application/json or text/event-stream. It cannot read any
other type.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, nil)
		switch {
		case err != nil:
			return err
		case a.Status != http.StatusOK:
			p.Report(Evidence{Answer: a, Subject: p.pinged()}, "%s: got HTTP %d, expected 200", p.pinged(), a.Status)
		case a.Type() != "application/json" && a.Type() != "text/event-stream":
			p.Report(Evidence{Answer: a, Subject: p.pinged()},
				"%s: got Content-Type %q, expected application/json or text/event-stream", p.pinged(),
				clip.Text(a.Header.Get("Content-Type"), 60))
		case a.Reply() == nil:
			p.Report(Evidence{Answer: a, Subject: p.pinged()},
				"%s: got HTTP 200 without a JSON-RPC response, expected one", p.pinged())
		}
		return nil
	},
}
