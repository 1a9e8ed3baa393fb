package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill011 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-011",
		Severity: finding.Info,
		Spec:     skillsSpec,
		Doc: `skill requests permissions on the machine of the user

Fields such as allowed-tools and hooks ask the host to run tools or commands without a question. A host must ignore them
for skills of a server unless the user approves them, so the skill must work without them. mcptest only shows them.

Remove the field, or describe in the text of the skill which tools it needs.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachSkillProblem(ctx, skills.PermissionProblems)
	},
}
