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
		Doc: `A body that is no JSON is refused with a status of the client's fault.

The sender is to blame, so the status is one of the 400s. A 500 looks like a failure of the server, and sets off its alarms: a
warning, since it is a status of an error, too, and which one is not prescribed.`,
	},
	Since:      "2025-03-26",
	On:         OnHTTP,
	Disruptive: true,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, http.Header{"Mcp-Method": {"ping"}}, `{"jsonrpc":"2.0","id":1,"method":`)
		if err != nil {
			return err
		}
		switch seen := (Seen{Answer: a, Subject: "POST"}); a.Status / 100 {
		case 4:
		case 5:
			p.Warn(seen, "a body that is no JSON was refused with HTTP %d; want 400", a.Status)
		default:
			p.Report(seen, "a body that is no JSON was answered with HTTP %d; want 400", a.Status)
		}
		return nil
	},
}
