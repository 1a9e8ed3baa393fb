package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var leak003 = &Check{
	Rule: finding.Rule{
		ID:       "LEAK-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `results should not contain instructions to the model.

A text in a result, a resource or an error asks the model to ignore its instructions, to hide something from the user, or to
send data elsewhere. That is how an assistant is taken over by way of a tool. Find out where the text comes from. It is a
heuristic; prompts are meant to instruct and are not checked.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.provoke(ctx)
		j := &p.round.judge
		for _, s := range append(j.seen(&j.results), j.seen(&j.refused)...) {
			text := textsOf(s.message.Result)
			if e := s.message.Error; e != nil {
				text = e.Message + "\n" + string(e.Data)
			}
			if s.method == "prompts/get" {
				continue
			}
			if how := exposure.FindInstruction(text); how != "" {
				seen := s.proof()
				if len(s.frames) > 1 {
					seen.Subject = nameIn(s.frames[0].Body)
				}
				p.once(seen, "the text instructs the model (%s): expected data, got %s", how, quoted(text))
			}
		}
		return nil
	},
}
