package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp006 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/completion"),
		Doc: `completion should depend on what was typed

The server returned the same values for an empty text and for a text that none of them contains. The values are
suggestions for what the user is typing: return those that begin with the text or contain it.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		tried := 0
		for _, one := range p.completions(ctx) {
			if schema.TextAt(one, "/argument/value") != "" {
				continue
			}
			ex, err := p.Call(ctx, "completion/complete", one)
			if err != nil {
				return err
			}
			values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
			if len(values) == 0 {
				continue
			}
			tried++
			typed, err := schema.Apply(one, []finding.Edit{{Pointer: "/argument/value",
				Value: json.RawMessage(`"mcptest-zq9"`)}})
			if err != nil {
				return err
			}
			again, err := p.Call(ctx, "completion/complete", typed)
			if err != nil {
				return err
			}
			if equalJSON(At(again.Reply.Result, "/completion/values"), At(ex.Reply.Result, "/completion/values")) {
				p.Report(Evidence{Subject: schema.TextAt(one, "/argument/name"), Exchange: again,
					Pointer: "/completion/values"},
					"%d values for the text mcptest-zq9, the same as for an empty text: expected only values that match",
					len(values))
			}
		}
		if tried == 0 {
			return p.Skip("no argument has suggested values")
		}
		return nil
	},
}
