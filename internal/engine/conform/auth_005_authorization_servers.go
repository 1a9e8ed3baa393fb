package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth005 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-005",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#authorization-server-location"),
		Doc: `protected resource metadata must name an authorization server

authorization_servers lists at least one https URL. Without one, a client has nowhere to get a token.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.described(ctx)
		if err != nil {
			return err
		}
		raw := At(t.metadata.Body, "/authorization_servers")
		seen := Evidence{Answer: t.metadata, Subject: "protected resource metadata", Pointer: "/authorization_servers"}
		if len(t.servers) == 0 {
			p.Report(seen, "authorization_servers is %s, expected an array with at least one URL", show(raw))
		}
		for _, s := range t.servers {
			if !fetchable(s.name) {
				p.Report(seen, "authorization server is %q, expected an https URL", clip.Text(s.name, 80))
			}
		}
		return nil
	},
}
