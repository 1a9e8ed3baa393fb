package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill103 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-103",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `name of a skill that is not that of its directory

The directory of a skill has its name, so that the name is known from the URI. Names have at most 64 lowercase letters,
digits and single hyphens, descriptions at most 1024 characters; hosts that follow Agent Skills do not load others.

Use the same name for the directory and in the frontmatter, such as skill://acme/pdf-forms/SKILL.md and name: pdf-forms.`,
	},
	Entry: func(p *Pass) { p.reportSkill(skills.NameProblems) },
}
