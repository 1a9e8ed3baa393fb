package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual011 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-011",
		Severity: finding.Warning,
		Doc: `duplicate tool description

A model that reads two identical descriptions chooses by the name alone, and often chooses wrongly.

Describe in each tool how it differs from the other.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		first := map[[2]string]*Tool{}
		for _, t := range p.Tools {
			text := strings.Join(wordsOf(t.Description()), " ")
			if text == "" {
				continue
			}
			key := [2]string{t.Server, text}
			if before, ok := first[key]; !ok {
				first[key] = t
			} else if before.Name != t.Name {
				p.ReportTool(t, "/description", nil, "the description is identical to that of %s", quoted(before.Name))
			}
		}
	},
}
