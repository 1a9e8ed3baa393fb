package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res008 = &Check{
	Rule: finding.Rule{
		ID:       "RES-008",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/resources#resource-contents"),
		Doc: `resource blobs must be base64

Binary contents are padded base64 in the standard alphabet, without line breaks. A client cannot show contents that it
cannot decode.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			for _, b := range contentsOf(r.Exchange.Reply.Result) {
				if pointer, problem := b.badBase64(); problem != "" {
					p.Report(Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: pointer}, "%s", problem)
				}
			}
		}
		return err
	},
}
