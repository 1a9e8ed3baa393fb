package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var leak003 = &Check{
	Rule: finding.Rule{
		ID:       "LEAK-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `results and descriptions should not contain instructions to the model

A text in a result, a resource or an error instructs the model to ignore its instructions, to hide something from the
user, or to send data elsewhere. This is prompt injection through a tool. Find out where the text comes from. The
instructions of the server and the descriptions of prompts, their arguments and resources are reported if they have two
such phrases; SEC-009 reports tools. The check is a heuristic; prompts are meant to instruct and are not checked.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, s := range p.texts(ctx) {
			if how := exposure.FindInstruction(s.text); how != "" && s.method != "prompts/get" {
				p.once(s.proof(), "text instructs the model (%s): expected data, got %s", how, quoted(s.text))
			}
		}
		described, err := p.descriptions(ctx)
		for _, d := range described {
			if signs := exposure.FindPoison(d.text); len(signs) >= 2 {
				p.once(d.seen, "text instructs the model: %s", strings.Join(signs, "; "))
			}
		}
		return err
	},
}
