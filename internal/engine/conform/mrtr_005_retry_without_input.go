package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr005 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/patterns/mrtr"),
		Doc: `retried call without the requested input should get input_required again

A client may be able to provide only a part of the input. The server must list again what it needs, and must not break.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, s, err := p.Suspended(ctx)
		if err != nil {
			return err
		}
		for _, c := range done {
			if len(questionsOf(c)) == 0 {
				continue
			}
			ex, err := p.resumed(ctx, s, c, func(edits []finding.Edit) []finding.Edit {
				edits[0].Value = json.RawMessage(`{}`)
				return edits
			})
			if err != nil {
				return err
			}
			if kind := schema.TextAt(ex.Reply.Result, "/resultType"); kind != "input_required" {
				p.Report(Evidence{Subject: c.Name, Exchange: ex},
					"call without the requested input: got %s, expected input_required again", outcome(ex))
			}
		}
		return nil
	},
}
