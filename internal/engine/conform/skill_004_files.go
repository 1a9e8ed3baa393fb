package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill004 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-004",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `files of a skill must be complete, unique and inside of its directory

A user approves exactly the listed files. A file outside of the directory of the skill would let one skill take over
another, and a list without SKILL.md cannot be verified.

List SKILL.md and every other file of the directory exactly once, with URIs below that of the directory.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSkillProblem(ctx, skills.FileProblems) },
}
