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
		Doc: `an error result should say what went wrong and carry no data.

A result with isError is for a model: without a text it cannot correct its call. structuredContent in it is taken for data;
clients that validate it against the outputSchema reject the whole result. An outputSchema that describes errors too allows it.`,
	},
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *Pass) error {
		p.provoke(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.results) {
			result := s.message.Result
			if s.method != "tools/call" || string(At(result, "/isError")) != "true" {
				continue
			}
			seen := s.proof()
			seen.Subject = nameIn(s.frames[0].Body)
			if content := At(result, "/content"); schema.Kind(content) == '[' && len(blocksOf(result)) == 0 {
				seen.Pointer = "/content"
				p.once(seen, "the result has isError and no content: expected a text that says what went wrong, got none")
			}
			p.errorData(seen, result)
		}
		return nil
	},
}

// errorData reports structuredContent in an error result: as an error where the outputSchema forbids it, as a warning where
// there is no outputSchema that describes it.
func (p *Pass) errorData(seen Seen, result json.RawMessage) {
	content := At(result, "/structuredContent")
	if content == nil || string(content) == "null" {
		return
	}
	seen.Pointer = "/structuredContent"
	if compiled := p.outputOf(seen.Subject); compiled != nil {
		if len(compiled.Validate(content)) > 0 {
			p.onceAs(finding.Error, seen, "the result has isError and structuredContent that does not match the outputSchema: expected none, got %s", show(content))
		}
		return
	}
	p.once(seen, "the result has isError and structuredContent: expected none, got %s", show(content))
}

// outputOf is the outputSchema of a tool, compiled; nil if it has none that can be used.
func (p *Pass) outputOf(tool string) *schema.Schema {
	for _, item := range p.round.listed() {
		if raw := At(item.Raw, "/outputSchema"); item.Name == tool && raw != nil {
			compiled, err := schema.Compile(raw, &schema.Options{Dialect: p.Revision.Dialect})
			if err == nil {
				return compiled
			}
		}
	}
	return nil
}
