package access

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// refusals counts rejected requests by status.
type refusals struct{ unknown, forbidden, tooMany, noKeys atomic.Int64 }

func (r *refusals) count(status int) {
	switch status {
	case http.StatusForbidden:
		r.forbidden.Add(1)
	case http.StatusTooManyRequests:
		r.tooMany.Add(1)
	case http.StatusServiceUnavailable:
		r.noKeys.Add(1)
	default:
		r.unknown.Add(1)
	}
}

// WriteMetrics writes the number of rejected requests in the Prometheus text format.
func (p *Policy) WriteMetrics(w io.Writer) {
	const name = "mcptest_gateway_refused_requests_total"
	fmt.Fprintf(w, "# HELP %s Rejected requests.\n# TYPE %s counter\n", name, name)
	fmt.Fprintf(w, "%s{status=\"401\"} %d\n%s{status=\"403\"} %d\n%s{status=\"429\"} %d\n%s{status=\"503\"} %d\n",
		name, p.refused.unknown.Load(), name, p.refused.forbidden.Load(), name, p.refused.tooMany.Load(),
		name, p.refused.noKeys.Load())
}
