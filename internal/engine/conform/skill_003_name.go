package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill003 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-003",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `name of a skill must be the last part of its path

The directory of a skill has its name, so that the name is known from the URI. Names have at most 64 lowercase letters,
digits and single hyphens; hosts that follow Agent Skills do not load others.

Use the same name for the directory and in the frontmatter, such as skill://acme/pdf-forms/SKILL.md and name: pdf-forms.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSkillProblem(ctx, skills.NameProblems) },
}
