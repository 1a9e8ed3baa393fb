package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill009 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-009",
		Severity: finding.Warning,
		Spec:     skillsSpec,
		Doc: `skills should keep to the limits of hosts

Every host accepts skills of up to 512 files and 16 MiB; larger ones need not load. Names should be unique on a server,
and SKILL.md has the type text/markdown.

Split a large skill, give each skill its own name, and set the type of SKILL.md.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		names := map[string]bool{}
		if err := p.eachSkill(ctx, func(item mcp.Item, at Evidence) {
			for _, one := range skills.LimitProblems(item.Raw) {
				at.Pointer = one.Pointer
				p.Report(at, "%s", one.Message)
			}
			name := schema.TextAt(item.Raw, "/frontmatter/name")
			if at.Pointer = "/frontmatter/name"; name != "" && names[name] {
				p.Report(at, "two skills have the name %s, expected different names", quoted(name))
			}
			names[name] = true
		}); err != nil {
			return err
		}
		reads, err := p.skillReads(ctx)
		if err != nil {
			return nil // what cannot be read has its own check
		}
		for _, r := range reads {
			kind := At(r.Read.Reply.Result, "/contents/0/mimeType")
			if r.URI == r.Skill.Name && r.Read.Reply.Error == nil && string(kind) != `"text/markdown"` {
				p.Report(Evidence{Subject: r.URI, Exchange: r.Read, Pointer: "/contents/0/mimeType"},
					"mimeType of SKILL.md is %s, expected \"text/markdown\"", show(kind))
			}
		}
		return nil
	},
}
