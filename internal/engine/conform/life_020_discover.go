package conform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life020 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-020",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "server/discover"),
		Doc: `server/discover must return supportedVersions and capabilities

Without a handshake, this is how a client learns both. supportedVersions lists revisions, including that of the request;
capabilities is an object.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.Call(ctx, "server/discover", nil)
		if err != nil {
			return err
		}
		if ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "server/discover: got %v, expected a result", ex.Reply.Error)
			return nil
		}
		var versions []string
		raw := At(ex.Reply.Result, "/supportedVersions")
		if json.Unmarshal(raw, &versions) != nil || !slices.Contains(versions, p.Revision.ID) {
			p.Report(Evidence{Exchange: ex, Pointer: "/supportedVersions"},
				"supportedVersions is %s, expected an array that contains %s", show(raw), p.Revision.ID)
		}
		if raw := At(ex.Reply.Result, "/capabilities"); schema.Kind(raw) != '{' {
			p.Report(Evidence{Exchange: ex, Pointer: "/capabilities"}, "capabilities is %s, expected an object",
				show(raw))
		}
		return nil
	},
}
