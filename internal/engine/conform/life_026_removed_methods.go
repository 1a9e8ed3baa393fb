package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life026 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-026",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `removed methods must fail with -32601

ping, logging/setLevel, resources/subscribe and resources/unsubscribe were removed together with the handshake. A server
that still supports logging/setLevel or the subscriptions in revisions from 2026-07-28 on keeps state between requests, which
the revision forbids. ping needs no state, but a client that relies on it fails with other servers.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, r := range []struct{ method, params string }{
			{"ping", "{}"}, {"logging/setLevel", `{"level":"error"}`},
			{"resources/subscribe", `{"uri":"mcptest://none"}`}, {"resources/unsubscribe", `{"uri":"mcptest://none"}`},
		} {
			ex, err := p.Call(ctx, r.method, r.params)
			if err != nil {
				return err
			}
			switch e := ex.Reply.Error; {
			case e == nil:
				p.Report(Evidence{Exchange: ex}, "%s was served, expected error %d: the revision removed the method",
					r.method, mcp.CodeMethodNotFound)
			case e.Code != mcp.CodeMethodNotFound:
				p.Report(Evidence{Exchange: ex}, "%s: got %v, expected error %d: the revision removed the method",
					r.method, e, mcp.CodeMethodNotFound)
			}
		}
		return nil
	},
}
