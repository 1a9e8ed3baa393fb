package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr004 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-004",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/patterns/mrtr#security-considerations"),
		Doc: `tampered requestState should be rejected

The state passes through the client. If anything depends on it, the server must verify that it issued the state, and
reject a modified one. A server whose state has no effect may leave it unprotected.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, s, err := p.Suspended(ctx)
		if err != nil {
			return err
		}
		tried := false
		for _, c := range done {
			state, ok := schema.Text(At(c.Exchange.Reply.Result, "/requestState"))
			if !ok {
				continue
			}
			tried = true
			ex, err := p.resumed(ctx, s, c, func(edits []finding.Edit) []finding.Edit {
				edits[1].Value, _ = json.Marshal(state + "-changed")
				return edits
			})
			if err != nil {
				return err
			}
			if ex.Reply.Error == nil && schema.TextAt(ex.Reply.Result, "/resultType") == "complete" &&
				string(At(ex.Reply.Result, "/isError")) != "true" {
				p.Report(Evidence{Subject: c.Name, Exchange: ex, Pointer: "/params/requestState"},
					"call completed with a modified requestState, expected it to be rejected")
			}
		}
		if !tried {
			return p.Skip("no requestState was issued")
		}
		return nil
	},
}
