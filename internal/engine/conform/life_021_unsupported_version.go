package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life021 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-021",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `unsupported version must fail with -32022 and list the supported ones

The error lets a client find a common revision: its data lists the revisions that the server supports (supported) and
repeats the requested one (requested). After any other error, the client has to guess.`,
	},
	Since: spec.NewestModern,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.unknownRevision(ctx, "2099-12-31") },
}
