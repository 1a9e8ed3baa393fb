package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http036 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-036",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports#sending-messages-to-the-server"),
		Doc: `JSON-RPC response must not have HTTP status 5xx

The request was read and processed, so the error belongs in the JSON-RPC message. A 5xx status makes clients and proxies
retry the request, or replace the body with an error page.`,
	},
	On:   OnHTTP,
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.provoke(ctx)
		j := &p.round.validator
		for _, s := range append(j.observations(&j.refused), j.observations(&j.results)...) {
			status := s.message.Frame.Status
			if status == http.StatusServiceUnavailable && s.method == "initialize" {
				continue // a server may be busy with as many sessions as it serves
			}
			if status/100 == 5 && len(s.frames) > 1 {
				seen := s.proof()
				seen.Subject = s.method
				p.once(seen, "%s: got HTTP %d, expected 200 or 4xx with the JSON-RPC error", s.method, status)
			}
		}
		return nil
	},
}
