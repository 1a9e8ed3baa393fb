package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill109 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-109",
		Severity: finding.Warning,
		Spec:     skillsSpec,
		Doc: `skill above the limits of hosts, or with the name of another

Every host accepts skills of up to 512 files and 16 MiB; larger ones need not load. Names should be unique on a server.

Split a large skill, and give each skill its own name.`,
	},
	Entry: func(p *Pass) {
		p.reportSkill(skills.LimitProblems)
		name := schema.TextAt(p.Entry.Raw, "/frontmatter/name")
		for _, other := range p.Entries {
			if p.Entry.Kind != SkillEntry || other == p.Entry || name == "" {
				return
			}
			if other.Kind == SkillEntry && schema.TextAt(other.Raw, "/frontmatter/name") == name {
				p.Report("/frontmatter/name", "two skills have the name %s, expected different names", quoted(name))
				return
			}
		}
	},
}
