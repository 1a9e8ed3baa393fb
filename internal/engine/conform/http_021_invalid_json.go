package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http021 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-021",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `invalid JSON body must return 4xx

The client sent invalid data, so the status must be 4xx. A 5xx status looks like a server failure and triggers alerts.
It is a warning, because 5xx is also an error status and the specification does not prescribe one.`,
	},
	Since:      spec.March2025,
	On:         OnHTTP,
	Disruptive: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, http.Header{"Mcp-Method": {"ping"}}, `{"jsonrpc":"2.0","id":1,"method":`)
		if err != nil {
			return err
		}
		switch seen := (Evidence{Answer: a, Subject: "POST"}); a.Status / 100 {
		case 4:
		case 5:
			p.Warn(seen, "body that is not JSON: rejected with HTTP %d, expected 400", a.Status)
		default:
			p.Report(seen, "body that is not JSON: got HTTP %d, expected 400", a.Status)
		}
		return nil
	},
}
