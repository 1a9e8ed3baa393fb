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
		Doc: `Answers that nobody asked for are ignored.

A client may send an answer to an earlier round once more. Keys that the server does not know change nothing.`,
	},
	Since: "2026-07-28",
	Run: func(ctx context.Context, p *Pass) error {
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
				return append(edits, finding.Edit{Pointer: "/inputResponses/mcptest-unknown", Value: json.RawMessage(`{"action":"cancel"}`)})
			})
			if err != nil {
				return err
			}
			if right.Reply.Error == nil && ex.Reply.Error != nil {
				p.Report(Seen{Subject: c.Name, Exchange: ex, Pointer: "/params/inputResponses"}, "the call with an answer that nobody asked for beside the right ones brought %s; want it ignored", outcome(ex))
			}
		}
		return nil
	},
}
