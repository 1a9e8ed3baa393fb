package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill111 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-111",
		Severity: finding.Info,
		Spec:     skillsSpec,
		Doc: `skill that requests permissions on the machine of the user

Fields such as allowed-tools and hooks ask the host to run tools or commands without a question. A host must ignore them
for skills of a server unless the user approves them, so the skill must work without them. mcptest only shows them.

Remove the field, or describe in the text of the skill which tools it needs.`,
	},
	Entry: func(p *Pass) { p.reportSkill(skills.PermissionProblems) },
}
