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
		Doc: `total and hasMore of a completion should be correct

total is the number of all values, and hasMore reports whether some were omitted. A host uses them to decide whether to
request more.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.completed(ctx)
		if err != nil {
			return err
		}
		values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
		var total int
		if raw := At(ex.Reply.Result, "/completion/total"); raw != nil && json.Unmarshal(raw, &total) == nil &&
			total < len(values) {
			p.Report(Evidence{Exchange: ex, Pointer: "/completion/total"},
				"total is %d but %d values were returned, expected a total of at least that many", total, len(values))
		} else if raw != nil && total == len(values) && string(At(ex.Reply.Result, "/completion/hasMore")) == "true" {
			p.Report(Evidence{Exchange: ex, Pointer: "/completion/hasMore"},
				"hasMore is true but all %d values were returned, expected false", total)
		} else if raw != nil && total > len(values) && string(At(ex.Reply.Result, "/completion/hasMore")) == "false" {
			p.Report(Evidence{Exchange: ex, Pointer: "/completion/hasMore"},
				"hasMore is false but only %d of %d values were returned, expected true", len(values), total)
		}
		return nil
	},
}
