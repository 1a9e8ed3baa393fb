package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth008 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-008",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization"),
		Doc: `authorization server must declare its endpoints and PKCE with S256

Clients need authorization_endpoint and token_endpoint, and must stop if code_challenge_methods_supported does not list
S256.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		known, err := p.knownIssuers(ctx)
		for _, s := range known {
			for _, name := range []string{"authorization_endpoint", "token_endpoint"} {
				if address := schema.TextAt(s.metadata.Body, "/"+name); !fetchable(address) {
					p.Report(Evidence{Answer: s.metadata, Subject: "authorization server metadata",
						Pointer: "/" + name}, "%s is %s, expected an https URL", name,
						show(At(s.metadata.Body, "/"+name)))
				}
			}
			if methods := At(s.metadata.Body, "/code_challenge_methods_supported"); !strings.Contains(string(methods),
				`"S256"`) {
				p.Report(Evidence{Answer: s.metadata, Subject: "authorization server metadata",
					Pointer: "/code_challenge_methods_supported"},
					"code_challenge_methods_supported is %s, expected an array that contains S256", show(methods))
			}
		}
		return err
	},
}
