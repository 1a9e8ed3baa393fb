package lint

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill106 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-106",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `frontmatter that cannot be read, or differs from the entry

The user approves what the entry says, the model reads SKILL.md: hosts compare both field by field, and do not load the
skill if they differ. SKILL.md starts with --- and YAML, which ends with ---.

Write valid YAML at the start of SKILL.md, and parse it for the entry with every field.`,
	},
	Entry: func(p *Pass) {
		if p.Entry.Broken != "" {
			p.Report("/frontmatter", "%s, expected YAML with name and description", p.Entry.Broken)
		}
		if p.Entry.Kind != ContentEntry || skills.Root(p.Entry.URI) == "" {
			return
		}
		text, problem := apps.Document(p.Entry.Raw)
		if problem != "" {
			return
		}
		var listed json.RawMessage
		if skill := p.entry(SkillEntry, p.Entry.URI); skill != nil {
			listed = skill.Raw
		}
		for _, one := range skills.FrontmatterProblems(text, listed) {
			p.Report("/text", "%s", one.Message)
		}
	},
}
