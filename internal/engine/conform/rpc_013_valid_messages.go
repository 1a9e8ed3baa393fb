package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc013 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#messages"),
		Doc: `messages must be valid JSON-RPC 2.0

A message has jsonrpc "2.0" and a method, a result or an error. The error is an object, and each key occurs once. Some
clients accept violations, others drop the message.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.odd) {
			if framing(s.text) || strings.HasPrefix(s.text, "a batch") &&
				(p.Revision.Batches || ofOurBatch(s.message)) {
				continue // batches may be allowed, or RPC-010 reports them
			}
			if s.text == "response without id" && s.message.Error != nil && p.Revision.ErrorsWithoutID {
				continue // the ID of an error may be omitted if there is none to return
			}
			p.Report(Evidence{Subject: s.method, Frames: s.frames}, "%s", s.text)
		}
		return nil
	},
}
