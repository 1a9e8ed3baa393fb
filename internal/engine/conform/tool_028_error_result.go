package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool028 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-028",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#error-handling"),
		Doc: `error result should describe the failure and contain no data

A result with isError is for a model: without a text it cannot correct its call. structuredContent in it is treated as
data; clients that validate it against the outputSchema reject the whole result. It is allowed if the outputSchema also
describes errors.`,
	},
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.provoke(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			result := s.message.Result
			if s.method != "tools/call" || string(At(result, "/isError")) != "true" {
				continue
			}
			seen := s.proof()
			seen.Subject = nameIn(s.frames[0].Body)
			if content := At(result, "/content"); schema.Kind(content) == '[' && len(blocksOf(result)) == 0 {
				seen.Pointer = "/content"
				p.once(seen, "result has isError and no content: expected a text that describes the failure, got none")
			}
			p.errorData(seen, result)
		}
		return nil
	},
}

// errorData reports structuredContent in an error result: as an error if the outputSchema forbids it, as a warning if
// no outputSchema describes it.
func (p *CheckContext) errorData(seen Evidence, result json.RawMessage) {
	content := At(result, "/structuredContent")
	if content == nil || string(content) == "null" {
		return
	}
	seen.Pointer = "/structuredContent"
	if compiled := p.outputOf(seen.Subject); compiled != nil {
		if len(compiled.Validate(content)) > 0 {
			p.onceAs(finding.Error, seen, "result has isError and structuredContent that does not match the "+
				"outputSchema: expected none, got %s", show(content))
		}
		return
	}
	p.once(seen, "result has isError and structuredContent: expected none, got %s", show(content))
}
