package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool030 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-030",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#error-handling"),
		Doc: `failed call should have isError

The text of the result is an exception, a stack trace or a short text that begins with "Error", and isError is not set.
Clients and models treat it as data: the failure is not counted, retried or shown as a failure. JSON that does not say itself
that the call failed is data, whatever its texts say, and so are the results of tools whose names say that they are about errors
or logs.`,
	},
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			if s.method != "tools/call" || calls.IsError(s.message.Result) || exposure.AboutFailures(nameIn(s.frames[0].Body)) {
				continue
			}
			if found := exposure.FindFailure(textsOf(s.message.Result)); found != "" && !sentIn(s, found) &&
				!exposure.RequestsFailure(At(s.frames[0].Body, "/params/arguments"), found) {
				seen := s.proof()
				seen.Subject = nameIn(s.frames[0].Body)
				p.once(seen, "result is a failure without isError: expected isError true, got %s", quoted(found))
			}
		}
		return nil
	},
}
