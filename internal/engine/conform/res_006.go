package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res006 = &Check{
	Rule: finding.Rule{
		ID:       "RES-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#reading-resources"),
		Doc: `A resource that is listed can be read.

The list is what a person chooses from. A resource that stands in it and cannot be read, or has no contents, is a
choice that leads nowhere. The first five are tried.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *Pass) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			switch refusal := r.Exchange.Reply.Error; {
			case refusal != nil:
				p.Warn(Seen{Subject: r.Item.Name, Exchange: r.Exchange}, "the resource is listed, and reading it was refused with error %d: %s; want its contents", refusal.Code, said(refusal))
			case TextAt(r.Exchange.Reply.Result, "/resultType") != "input_required" && len(contentsOf(r.Exchange.Reply.Result)) == 0:
				p.Report(Seen{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: "/contents"}, "the resource is listed and has no contents; want at least one")
			}
		}
		return err
	},
}
