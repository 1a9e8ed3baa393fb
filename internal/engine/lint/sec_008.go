package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec008 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-008",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `markup that imitates a system instruction

<IMPORTANT>, [SYSTEM], <system> or a comment in a description imitates instructions of the host. Tool poisoning attacks
use this. The rule is a heuristic, so it is a warning.

Describe what the tool does in plain sentences.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if text.Key || !strings.ContainsAny(text.Value, "<[") {
				continue
			}
			lower := strings.ToLower(text.Value)
			for _, marker := range []string{"<important", "</important", "[system]", "<system>", "<|im_start|>",
				"<|system|>", "[inst]", "<instructions>", "<!--"} {
				if strings.Contains(lower, marker) {
					p.Report(text.Pointer, "the text imitates an instruction: %s", quoted(marker))
					break
				}
			}
		}
	},
}
