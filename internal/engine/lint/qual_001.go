package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual001 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-001",
		Severity: finding.Warning,
		Doc: `empty or one-word description

With an empty or one-word description, a model has nothing to base its choice on: it calls the tool for the wrong task
or never.

Describe what the tool does, when to use it, and what it returns.`,
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
