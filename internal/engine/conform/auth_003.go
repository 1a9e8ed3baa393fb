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
		Doc: `The metadata of the resource is there.

RFC 9728 puts a JSON document at a well-known place. Without it a client does not know which authorization server to ask.`,
	},
	Since: "2025-06-18",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if t.metadata == nil {
			p.Report(Seen{Answer: t.refusal, Subject: "protected resource metadata"}, "no metadata of the protected resource was found where the refusal or the well-known places lead; want a JSON document")
		}
		return nil
	},
}
