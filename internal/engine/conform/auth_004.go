package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth004 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization"),
		Doc: `The metadata is about this server.

A token is for the resource that the metadata names. If that is another address than the one the client talks to, the client
must not use it: it may be a trap for tokens of somebody else.`,
	},
	Since: "2025-06-18",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		t, err := p.described(ctx)
		if err != nil {
			return err
		}
		if resource := TextAt(t.metadata.Body, "/resource"); !sameResource(resource, p.Target.URL) {
			p.Report(Seen{Answer: t.metadata, Subject: "protected resource metadata", Pointer: "/resource"}, "resource is %s; want the address of the server", show(At(t.metadata.Body, "/resource")))
		}
		return nil
	},
}
