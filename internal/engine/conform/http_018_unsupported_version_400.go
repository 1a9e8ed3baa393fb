package conform

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http018 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-018",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `unsupported protocol version must return 400

The error for an unsupported revision (-32022) has a defined status, so that a client that tries the newest revision
first can immediately fall back to another.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		meta := strings.Replace(string(p.Meta()), p.Revision.ID, "2099-12-31", 1)
		body := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":` + meta + `}}`
		a, err := v.Post(ctx, http.Header{"Mcp-Protocol-Version": {"2099-12-31"}}, body)
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest {
			p.Report(Evidence{Answer: a, Subject: "server/discover"},
				"request in revision 2099-12-31: got HTTP %d, expected 400", a.Status)
		}
		return nil
	},
}
