package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec001 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `hidden text in Unicode tag characters

The characters U+E0000 to U+E007F spell ASCII but are not displayed: a user who reads the description sees nothing, and
a model reads an instruction. They have no legitimate use in a tool, except in the flags of England, Scotland and Wales.

The finding shows the hidden text. Remove it, and find out where it came from.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.unusual {
			if hidden := tagText(text.Value); hidden != "" {
				p.Report(text.Pointer, "invisible tag characters spell %s", quoted(hidden))
			}
		}
	},
}

// tagText decodes the tag characters of s. Those that follow a black flag form the flag of a region and are skipped.
func tagText(s string) string {
	var hidden strings.Builder
	flag := false
	for _, r := range s {
		tag := r >= 0xE0000 && r <= 0xE007F
		if tag && !flag {
			hidden.WriteRune(r - 0xE0000)
		}
		flag = r == 0x1F3F4 || tag && flag
	}
	return hidden.String()
}
