package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http005 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#security-warning"),
		Doc: `A server on this machine answers to its own name alone.

A page that points its own name at 127.0.0.1 reaches a local server, with that name in Host. A server which answers to any
Host trusts the page with everything. The specification asks for the Origin; the Host closes the same hole for requests that
carry none.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		if !near(p.Target) {
			return p.Skip("the server is not on this machine, where the name could be forged")
		}
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Host": {foreignHost}})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(Seen{Answer: a, Subject: "Host"}, "a request to the Host %s was served with HTTP %d; want it refused", foreignHost, a.Status)
		}
		return nil
	},
}
