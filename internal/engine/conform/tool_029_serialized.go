package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool029 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-029",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `results and errors should be serialized text

"[object Object]", "<coroutine object …>" or "Promise { <pending> }" is what a language prints for a value that was not
serialized or awaited. It is useless to a model. {'a': None} is how Python prints a dictionary, and "{\"a\": null}" is JSON
that was encoded twice: neither can be parsed as JSON. Serialize the value once, for example as JSON, and await pending
values. Only calls whose arguments match the input schema count.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			text := textsOf(s.message.Result)
			if found := exposure.FindUnserialized(text); found != "" && !sentIn(s, found) && p.sentValid(s) {
				seen := s.proof()
				seen.Subject = nameIn(s.frames[0].Body)
				text, expected := "text", "its content"
				if calls.IsError(s.message.Result) {
					text, expected = "text of the error", "a message for the caller"
				}
				p.once(seen, "%s contains a value that was not serialized: expected %s, got %s", text, expected, quoted(found))
			}
		}
		return nil
	},
}

// sentValid reports whether the arguments of a call match the schema of its tool. A tool may print a value of another type
// as its language does. Without a usable schema, all arguments are valid.
func (p *CheckContext) sentValid(s observation) bool {
	list := p.round.list("tools/list")
	if s.method != "tools/call" || list == nil {
		return true
	}
	tool, known := list.Find(nameIn(s.frames[0].Body))
	compiled, err := schema.Compile(At(tool.Raw, "/inputSchema"), nil)
	arguments := At(s.frames[0].Body, "/params/arguments")
	return !known || err != nil || arguments == nil || len(compiled.Validate(arguments)) == 0
}
