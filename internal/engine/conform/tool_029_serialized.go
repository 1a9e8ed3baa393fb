package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool029 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-029",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `result should be serialized text

"[object Object]", "<coroutine object …>" or "Promise { <pending> }" is what a language prints for a value that was not
serialized or awaited. It is useless to a model. {'a': None} is how Python prints a dictionary, and "{\"a\": null}" is JSON
that was encoded twice: neither can be parsed as JSON. Serialize the value once, for example as JSON, and await pending
values.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			text := textsOf(s.message.Result)
			if found := exposure.FindUnserialized(text); found != "" && !sentIn(s, found) {
				seen := s.proof()
				seen.Subject = nameIn(s.frames[0].Body)
				p.once(seen, "text contains a value that was not serialized: expected its content, got %s",
					quoted(found))
			}
		}
		return nil
	},
}
