package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth004 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization"),
		Doc: `protected resource metadata must name this server

A token is issued for the resource that the metadata names. If that is a different URL from the one the client connects
to, the client must not use the metadata: it could be an attempt to steal tokens for another server.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.described(ctx)
		if err != nil {
			return err
		}
		if resource := schema.TextAt(t.metadata.Body, "/resource"); !sameResource(resource, p.Target.URL) {
			p.Report(Evidence{Answer: t.metadata, Subject: "protected resource metadata", Pointer: "/resource"},
				"resource is %s, expected the server URL", show(At(t.metadata.Body, "/resource")))
		}
		return nil
	},
}
