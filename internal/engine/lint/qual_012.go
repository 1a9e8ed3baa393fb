package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual012 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-012",
		Severity: finding.Warning,
		Doc: `tool names differ only in case or separators

getUser and get_user are different tools to the server but the same to a model, and hosts that rename tools make them
collide.

Rename one of them.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		first := map[[2]string]*Tool{}
		for _, t := range p.Tools {
			key := [2]string{t.Server, strings.ToLower(separators.Replace(t.Name))}
			if before, ok := first[key]; !ok {
				first[key] = t
			} else if before.Name != t.Name && key[1] != "" {
				p.ReportTool(t, "/name", nil, "name %s is nearly identical to %s", quoted(t.Name), quoted(before.Name))
			}
		}
	},
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "", "/", "")
