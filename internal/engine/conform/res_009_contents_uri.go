package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res009 = &Check{
	Rule: finding.Rule{
		ID:       "RES-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#reading-resources"),
		Doc: `contents should have the URI of the requested resource

A client that requests several resources distinguishes their contents by uri: that of the resource, or of a part of it.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *Pass) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			for _, b := range contentsOf(r.Exchange.Reply.Result) {
				if uri, ok := schema.Text(At(b.raw, "/uri")); ok && !strings.HasPrefix(uri, strings.TrimSuffix(r.Item.Name, "/")) {
					p.Report(Seen{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: b.pointer + "/uri"}, "uri of the contents is %s, expected that of the resource or of a part of it", quoted(uri))
				}
			}
		}
		return err
	},
}
