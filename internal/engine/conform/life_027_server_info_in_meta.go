package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life027 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-027",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.July2026, "basic#request-metadata"),
		Doc: `results should include serverInfo in _meta

Without a handshake, serverInfo is sent in the _meta of results. Logs and bug reports have no other way to identify the
server and its version.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		handshake, err := p.Handshake(ctx)
		if err != nil {
			return err
		}
		if At(handshake.Reply.Result, "/_meta/io.modelcontextprotocol~1serverInfo") == nil {
			p.Report(Evidence{Exchange: handshake, Pointer: "/_meta"},
				"result of server/discover has no serverInfo in _meta, expected io.modelcontextprotocol/serverInfo")
		}
		return nil
	},
}
