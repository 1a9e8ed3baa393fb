package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
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
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachSkill(ctx, func(item mcp.Item, at Evidence) {
			name, root := schema.TextAt(item.Raw, "/frontmatter/name"), skillRoot(item.Name)
			at.Pointer = "/frontmatter/name"
			switch segment := root[strings.LastIndexByte(root, '/')+1:]; {
			case name == "" || root == "":
			case segment != name:
				p.Report(at, "name is %s and the directory is %s, expected the same", quoted(name), quoted(segment))
			case !skillName(name):
				p.Report(at, "name is %s, expected at most 64 lowercase letters, digits and single hyphens", quoted(name))
			}
			at.Pointer = "/frontmatter/description"
			if n := len([]rune(schema.TextAt(item.Raw, "/frontmatter/description"))); n > 1024 {
				p.Report(at, "description has %d characters, expected at most 1024", n)
			}
		})
	},
}
