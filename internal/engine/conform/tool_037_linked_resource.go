package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool037 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-037",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#resource-links"),
		Doc: `resource that a result links to should be readable

A result has a resource_link, and reading its URI from the same server fails. A host or a model that follows the link gets
an error instead of the data. Links to the web are not read.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		if !p.round.offers("resources") {
			return p.Skip("server has no resources")
		}
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		read := map[string]bool{}
		for _, c := range done {
			for _, b := range blocksOf(c.Result()) {
				uri := schema.TextAt(b.raw, "/uri")
				if schema.TextAt(b.raw, "/type") != "resource_link" || uri == "" || read[uri] || len(read) == maxReads ||
					strings.HasPrefix(uri, "http:") || strings.HasPrefix(uri, "https:") {
					continue
				}
				read[uri] = true
				ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
				if err != nil {
					return err
				}
				if refusal := ex.Reply.Error; refusal != nil {
					p.Report(Evidence{Subject: c.Name, Exchange: ex},
						"result links to %s, but reading it failed with error %d: %s", quoted(uri), refusal.Code,
						errorLine(refusal))
				}
			}
		}
		if len(read) == 0 {
			return p.Skip("no result links to a resource of the server")
		}
		return nil
	},
}
