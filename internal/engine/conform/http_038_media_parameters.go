package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http038 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-038",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports#sending-messages-to-the-server"),
		Doc: `media types with parameters and in any order must be accepted

HTTP allows parameters such as charset=utf-8 and q=0.9, and types in any order. Clients and proxies add them. A server
that compares the header as text rejects valid requests.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		for _, change := range []http.Header{
			{"Content-Type": {"application/json; charset=utf-8"}},
			{"Accept": {"text/event-stream, application/json"}},
			{"Accept": {"application/json;q=0.9, text/event-stream;q=0.8, */*;q=0.1"}},
		} {
			a, err := v.Ping(ctx, change)
			if err != nil {
				return err
			}
			for name, values := range change {
				if a.Status/100 != 2 {
					p.Report(Evidence{Answer: a, Subject: name},
						"request with %s: %s: expected a response, got HTTP %d", name, values[0], a.Status)
				}
			}
		}
		return nil
	},
}
