package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth032 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-032",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/authorization#authorization-response-validation"),
		Doc: `authorization server should announce the iss parameter

With authorization_response_iss_parameter_supported, a client knows that each authorization response names its issuer, and
rejects responses of another authorization server (mix-up attack).`,
	},
	Since: spec.July2026,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		known, err := p.knownIssuers(ctx)
		for _, s := range known {
			const name = "authorization_response_iss_parameter_supported"
			if got := At(s.metadata.Body, "/"+name); string(got) != "true" {
				p.Report(Evidence{Answer: s.metadata, Subject: "authorization server metadata", Pointer: "/" + name},
					"%s: expected true, got %s", name, show(got))
			}
		}
		return err
	},
}
