package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual001 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-001",
		Severity: finding.Warning,
		Doc: `A description that says next to nothing.

An empty description, or one of a single word, gives a model nothing to choose by: it calls the tool for the wrong task
or never.

Say what the tool does, when to use it, and what it returns.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Text("description")
		if ok && len(p.Tool.words) == 0 {
			p.Report("/description", "the description is empty")
		} else if ok && len(p.Tool.words) == 1 {
			p.Report("/description", "the description is one word: %s", quoted(strings.TrimSpace(value)))
		}
	},
}
