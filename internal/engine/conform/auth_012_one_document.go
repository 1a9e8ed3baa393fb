package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth012 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-012",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#protected-resource-metadata-discovery-requirements"),
		Doc: `protected resource metadata must be the same at each location

Some clients read the URL of the 401 response, others the well-known location with the path of the server. If the
documents name different resources or authorization servers, the server works in one client and not in the other.

Serve one document, and let WWW-Authenticate refer to it.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.described(ctx)
		if err != nil {
			return err
		}
		for i, address := range resourceAddresses(p.Target.URL) {
			if address == t.where {
				continue
			}
			other := p.firstJSON(ctx, []string{address})
			if other == nil || i > 0 && schema.TextAt(other.Body, "/resource") != schema.TextAt(t.metadata.Body,
				"/resource") {
				continue // the root may describe another server of the same host
			}
			for _, name := range []string{"resource", "authorization_servers"} {
				if !sameValues(At(other.Body, "/"+name), At(t.metadata.Body, "/"+name)) {
					p.Report(Evidence{Answer: other, Subject: "protected resource metadata", Pointer: "/" + name},
						"%s at %s: expected %s as at %s, got %s", name, address, show(At(t.metadata.Body, "/"+name)),
						t.where, show(At(other.Body, "/"+name)))
				}
			}
		}
		return nil
	},
}

// sameValues reports whether two values are equal, with lists in any order.
func sameValues(a, b json.RawMessage) bool {
	var one, other []string
	if json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil {
		slices.Sort(one)
		slices.Sort(other)
		return slices.Equal(one, other)
	}
	return bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b))
}
