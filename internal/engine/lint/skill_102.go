package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill102 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-102",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `skill without uri, name, description or files

A host builds its list of skills from these entries alone. It must not load an entry without resources: those are either
all files of the skill, with digest and size, or the text "dynamic". In a folder, name and description are in the
frontmatter of SKILL.md.

Give each entry the URI of its SKILL.md, the frontmatter with name and description, and resources.`,
	},
	Entry: func(p *Pass) { p.reportSkill(skills.EntryProblems) },
}
