package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life031 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-031",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `every version in supportedVersions must be supported

A client chooses a revision from supportedVersions of server/discover. A request in a listed revision, from 2026-07-28 on,
failed with -32022: the client has to start over, or gives up. List only what the server accepts.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.Call(ctx, "server/discover", nil)
		if err != nil {
			return err
		}
		var versions []string
		_ = json.Unmarshal(At(ex.Reply.Result, "/supportedVersions"), &versions) // LIFE-020 reports another type
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		for _, version := range versions[:min(len(versions), maxVersions)] {
			if version == p.Revision.ID || spec.EraOf(version) == spec.Legacy || !dates().MatchString(version) {
				continue // LIFE-020 reports what is no revision
			}
			meta := strings.Replace(string(p.Meta()), p.Revision.ID, version, 1)
			ex, err := p.requestAs(ctx, s, p.listed(), json.RawMessage(`{"_meta":`+meta+`}`), version)
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil && refusal.Code == mcp.CodeUnsupportedVersion {
				p.Report(Evidence{Exchange: ex, Led: true},
					"supportedVersions contains %s: expected a result, got error %d: %s", quoted(version), refusal.Code,
					errorLine(refusal))
			}
		}
		return nil
	},
}

// dates matches what a revision looks like.
var dates = lazyregexp.New(`^\d{4}-\d\d-\d\d$`)

// maxVersions is how many listed revisions are tried.
const maxVersions = 8
