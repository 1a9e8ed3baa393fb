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
		Doc: `A state that the server has not given out is refused.

The state goes through the hands of the client. Where something depends on it, the server has to make sure that it is
its own: a changed one is refused. A server on whose state nothing depends may leave it unsealed.`,
	},
	Since: "2026-07-28",
	Run: func(ctx context.Context, p *Pass) error {
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
			if ex.Reply.Error == nil && TextAt(ex.Reply.Result, "/resultType") == "complete" && string(At(ex.Reply.Result, "/isError")) != "true" {
				p.Report(Seen{Subject: c.Name, Exchange: ex, Pointer: "/params/requestState"}, "the call was completed with a state that the server has not given out; want it refused")
			}
		}
		if !tried {
			return p.Skip("no state was given out")
		}
		return nil
	},
}
