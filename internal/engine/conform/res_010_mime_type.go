package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res010 = &Check{
	Rule: finding.Rule{
		ID:       "RES-010",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource-contents"),
		Doc: `mimeType of a resource should be valid and match the list

A client uses mimeType to decide how to show a resource, often before reading it.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			listed := schema.TextAt(r.Item.Raw, "/mimeType")
			blocks := contentsOf(r.Exchange.Reply.Result)
			for _, b := range blocks {
				seen := Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: b.pointer + "/mimeType"}
				read, ok := schema.Text(At(b.raw, "/mimeType"))
				if _, problem := b.badType(); problem != "" {
					p.Report(seen, "%s", problem)
				} else if ok && listed != "" && len(blocks) == 1 && !sameMedia(listed, read) {
					p.Report(seen, "mimeType is %s, but %s in the list, expected the same", quoted(read),
						quoted(listed))
				}
			}
		}
		return err
	},
}

// sameMedia compares media types without their parameters.
func sameMedia(a, b string) bool {
	a, _, _ = strings.Cut(a, ";")
	b, _, _ = strings.Cut(b, ";")
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}
