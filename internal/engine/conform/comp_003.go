package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp003 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/completion#completion-results"),
		Doc: `A completion tells truly how many values there are.

total counts all values and hasMore says whether some were left out. A host that believes them asks again, or does
not.`,
	},
	Since: "2025-03-26",
	Needs: "completions",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.completed(ctx)
		if err != nil {
			return err
		}
		values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
		var total int
		if raw := At(ex.Reply.Result, "/completion/total"); raw != nil && json.Unmarshal(raw, &total) == nil && total < len(values) {
			p.Report(Seen{Exchange: ex, Pointer: "/completion/total"}, "total is %d and there are %d values; want at least as many", total, len(values))
		} else if raw != nil && total == len(values) && string(At(ex.Reply.Result, "/completion/hasMore")) == "true" {
			p.Report(Seen{Exchange: ex, Pointer: "/completion/hasMore"}, "hasMore is true and all %d values are there; want false", total)
		}
		return nil
	},
}
