package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill104 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-104",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `files of a skill outside of its directory, listed twice or incomplete

A user approves exactly the listed files. A file outside of the directory of the skill, or a link out of a folder, would
let one skill take over another, and a list without SKILL.md cannot be verified.

List SKILL.md and every other file of the directory exactly once, with URIs below that of the directory.`,
	},
	Entry: func(p *Pass) {
		p.reportSkill(skills.FileProblems)
		for _, link := range p.Entry.Links {
			p.Report("/resources", "%s is a link out of the directory of the skill, expected a file in it", quoted(link))
		}
	},
}
