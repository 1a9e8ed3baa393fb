package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool022 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-022",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#results"),
		Doc: `tools/call result must have a known resultType

resultType is complete, input_required, or a value that an extension supported by both sides defines. A client must
treat any other value as invalid, and the result is lost.`,
	},
	Since: spec.July2026,
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			if c.Exchange.Reply.Error == nil {
				p.knownType(c.Name, c.Exchange)
			}
		}
		return err
	},
}

// knownType expects a result to have a known resultType. A missing type is reported with the schema of the message.
func (p *Pass) knownType(subject string, ex *mcp.Exchange) {
	kind, ok := schema.Text(At(ex.Reply.Result, "/resultType"))
	if ok && !slices.Contains([]string{"complete", "input_required", "task"}, kind) {
		p.Report(Seen{Subject: subject, Exchange: ex, Pointer: "/resultType"}, "resultType is %s, expected complete, input_required or one of an extension", quoted(kind))
	}
}
