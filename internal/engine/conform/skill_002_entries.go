package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill002 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-002",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `entry of a skill must have uri, frontmatter and resources

A host builds its list of skills from these entries alone. It must not load an entry without resources: those are either
all files of the skill, with digest and size, or the text "dynamic".

Give each entry the URI of its SKILL.md, the frontmatter with name and description, and resources.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSkillProblem(ctx, skills.EntryProblems) },
}
