package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life006 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-006",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#initialization"),
		Doc: `serverInfo must include name and version

Hosts show both to their users and include them in bug reports. serverInfo has name and version, both strings: in the
result of initialize, or in the _meta of results in revisions from 2026-07-28 on. An empty string is formally valid and
therefore a warning: some SDKs send it if the author sets none.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		handshake, err := p.Handshake(ctx)
		if err != nil {
			return err
		}
		info, at := At(handshake.Reply.Result, "/serverInfo"), "/serverInfo"
		if p.Modern() {
			at = "/_meta/io.modelcontextprotocol~1serverInfo"
			info = At(handshake.Reply.Result, at)
		}
		if schema.Kind(info) != '{' {
			return p.Skip("no serverInfo to check; see LIFE-001 and LIFE-027")
		}
		for _, name := range []string{"name", "version"} {
			seen := Evidence{Exchange: handshake, Pointer: at + "/" + name}
			switch text, ok := textOf(At(info, "/"+name)); {
			case !ok:
				p.Report(seen, "%s of serverInfo is %s, expected a string", name, show(At(info, "/"+name)))
			case text == "":
				p.Warn(seen, "%s of serverInfo is empty, expected a non-empty string", name)
			}
		}
		return nil
	},
}
