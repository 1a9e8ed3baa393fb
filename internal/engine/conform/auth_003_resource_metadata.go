package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth003 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#authorization-server-location"),
		Doc: `protected resource metadata must be available

RFC 9728 defines a JSON document at a well-known location. Without it, a client cannot find the authorization server.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if t.metadata == nil {
			p.Report(Evidence{Answer: t.refusal, Subject: "protected resource metadata"},
				"no protected resource metadata at the URL in the 401 response or at the well-known locations, "+
					"expected a JSON document")
		}
		return nil
	},
}
