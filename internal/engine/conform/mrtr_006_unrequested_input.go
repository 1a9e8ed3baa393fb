package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr006 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/patterns/mrtr"),
		Doc: `unrequested input responses must be ignored

A client may send the input of an earlier round again. Unknown keys must have no effect.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, s, err := p.Suspended(ctx)
		if err != nil {
			return err
		}
		for _, c := range done {
			right, err := p.resumed(ctx, s, c, nil)
			if err != nil {
				return err
			}
			ex, err := p.resumed(ctx, s, c, func(edits []finding.Edit) []finding.Edit {
				return append(edits, finding.Edit{Pointer: "/inputResponses/mcptest-unknown",
					Value: json.RawMessage(`{"action":"cancel"}`)})
			})
			if err != nil {
				return err
			}
			if right.Reply.Error == nil && ex.Reply.Error != nil {
				p.Report(Evidence{Subject: c.Name, Exchange: ex, Pointer: "/params/inputResponses"},
					"call with additional unrequested input: got %s, expected it to be ignored", outcome(ex))
			}
		}
		return nil
	},
}
