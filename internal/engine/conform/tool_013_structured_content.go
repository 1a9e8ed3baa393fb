package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool013 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#output-schema"),
		Doc: `structuredContent must match outputSchema

Clients and programs rely on the schema: many drop a result that does not match it and show an error instead.
Several SDKs validate in the server and turn such a result into an error of the call.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.structured(ctx)
		defer p.allStructured()
		for _, c := range done {
			content := At(c.Result(), "/structuredContent")
			compiled, bad := schema.Compile(At(c.Definition, "/outputSchema"),
				&schema.Options{Dialect: p.Revision.Dialect})
			if content == nil || bad != nil {
				continue // notifications elsewhere
			}
			for _, v := range compiled.Validate(content) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/structuredContent" + v.Path},
					"structuredContent does not match outputSchema: %s", clip.Text(v.Message, 200))
			}
		}
		return err
	},
}

// allStructured checks the results of all calls that other checks made.
func (p *CheckContext) allStructured() {
	for _, s := range p.round.validator.simplest(&p.round.validator.results) {
		if s.method != "tools/call" {
			continue
		}
		content := At(s.message.Result, "/structuredContent")
		if calls.IsError(s.message.Result) {
			p.rejectedOutput(s)
			continue
		}
		if content == nil {
			continue
		}
		compiled := p.outputOf(nameIn(s.frames[0].Body))
		if compiled == nil {
			continue
		}
		for _, v := range compiled.Validate(content) {
			seen := s.proof()
			seen.Subject, seen.Pointer = nameIn(s.frames[0].Body), "/structuredContent"+v.Path
			p.once(seen, "structuredContent does not match outputSchema: %s", clip.Text(v.Message, 200))
		}
	}
}

// rejectedOutput reports a call that failed because the SDK of the server did not accept its result.
func (p *CheckContext) rejectedOutput(s observation) {
	found := exposure.FindOutputError(textsOf(s.message.Result))
	if found == "" || sentIn(s, found) || p.outputOf(nameIn(s.frames[0].Body)) == nil {
		return
	}
	seen := s.proof()
	seen.Subject, seen.Pointer = nameIn(s.frames[0].Body), "/content"
	p.once(seen, "the SDK of the server rejected the result of the tool: %s", clip.Text(found, 200))
}
