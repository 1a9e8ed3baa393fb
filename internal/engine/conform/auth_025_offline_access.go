package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth025 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-025",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/authorization#refresh-tokens"),
		Doc: `offline_access should not be a scope of the server

A refresh token is a matter between the client and the authorization server. The server does not need it: remove
offline_access from scopes_supported of the protected resource metadata and from the scope of WWW-Authenticate, and list
it in scopes_supported of the authorization server.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		const scope = "offline_access"
		if slices.Contains(strings.Fields(challenged(t.refusal, "scope")), scope) {
			p.Report(Evidence{Answer: t.refusal, Subject: "WWW-Authenticate"}, "scope contains %s", scope)
		}
		if t.metadata == nil {
			return nil
		}
		var scopes []string
		if _ = json.Unmarshal(At(t.metadata.Body, "/scopes_supported"), &scopes); slices.Contains(scopes, scope) {
			p.Report(Evidence{Answer: t.metadata, Subject: "protected resource metadata",
				Pointer: "/scopes_supported"}, "scopes_supported contains %s", scope)
		}
		return nil
	},
}
