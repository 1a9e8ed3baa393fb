package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http001 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `A request is answered as JSON or as a stream of events.

A client looks at Content-Type to know how to read the answer: application/json, or text/event-stream. Anything else is not
read at all.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, nil)
		switch {
		case err != nil:
			return err
		case a.Status != http.StatusOK:
			p.Report(Seen{Answer: a, Subject: p.pinged()}, "%s was answered with HTTP %d; want 200", p.pinged(), a.Status)
		case a.Type() != "application/json" && a.Type() != "text/event-stream":
			p.Report(Seen{Answer: a, Subject: p.pinged()}, "%s was answered with Content-Type %q; want application/json or text/event-stream", p.pinged(), clip(a.Header.Get("Content-Type"), 60))
		case a.Reply() == nil:
			p.Report(Seen{Answer: a, Subject: p.pinged()}, "%s was answered with HTTP 200 and no JSON-RPC answer; want one", p.pinged())
		}
		return nil
	},
}
