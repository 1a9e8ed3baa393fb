package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var samp001 = &Check{
	Rule: finding.Rule{
		ID:       "SAMP-001",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("client/sampling#creating-messages"),
		Doc: `sampling request should have messages and maxTokens above 0

A sampling request has at least one message, and maxTokens is greater than 0. Providers reject anything else, and the
tool call fails.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		questions, err := p.Questions(ctx)
		for _, q := range questions {
			if q.Method != "sampling/createMessage" {
				continue
			}
			seen := Evidence{Subject: q.Tool, Exchange: q.Exchange, Pointer: q.Pointer}
			if messages, _ := schema.Elements(At(q.Params, "/messages")); len(messages) == 0 {
				p.Report(seen, "messages is %s, expected at least one", show(At(q.Params, "/messages")))
			}
			var most float64
			if json.Unmarshal(At(q.Params, "/maxTokens"), &most) == nil && most <= 0 {
				p.Report(seen, "maxTokens is %v, expected more than 0", most)
			}
		}
		return err
	},
}
