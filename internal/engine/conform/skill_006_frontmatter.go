package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill006 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-006",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `frontmatter of the entry must be that of SKILL.md

The user approves what the entry says, the model reads SKILL.md: hosts compare both field by field, and do not load the
skill if they differ.

Parse the YAML of SKILL.md for the entry, and keep every field.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.skillReads(ctx)
		if err != nil {
			return err
		}
		for _, r := range reads {
			data, err := r.bytes()
			if err != nil || r.URI != r.Skill.Name {
				continue
			}
			at := Evidence{Subject: r.URI, Exchange: r.Read, Pointer: "/frontmatter"}
			for _, one := range skills.FrontmatterProblems(string(data), r.Skill.Raw) {
				p.Report(at, "%s", one.Message)
			}
		}
		return nil
	},
}
