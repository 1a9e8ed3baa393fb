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
		Doc: `Markup that poses as an instruction to the model.

<IMPORTANT>, [SYSTEM], <system> or a comment in a description imitates the voice of the host. That is how tools are
poisoned; it is a heuristic, so it warns.

Say what the tool does in plain sentences.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if text.Key || !strings.ContainsAny(text.Value, "<[") {
				continue
			}
			lower := strings.ToLower(text.Value)
			for _, marker := range []string{"<important", "</important", "[system]", "<system>", "<|im_start|>", "<|system|>", "[inst]", "<instructions>", "<!--"} {
				if strings.Contains(lower, marker) {
					p.Report(text.Pointer, "the text poses as an instruction: %s", quoted(marker))
					break
				}
			}
		}
	},
}
