package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec009 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `instructions to the model

The text instructs the model to do something unrelated to the tool: to hide something from the user, to read secrets, to
call this tool before all others, to disclose the conversation. One such phrase is common in legitimate tools, so the
rule requires two. It is a heuristic.

Describe the tool and leave the model's behavior to the host.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if text.Key || len(text.Value) < 20 {
				continue
			}
			if signs := exposure.FindPoison(text.Value); len(signs) >= 2 {
				p.Report(text.Pointer, "the text instructs the model: %s", strings.Join(signs, "; "))
			}
		}
	},
}
