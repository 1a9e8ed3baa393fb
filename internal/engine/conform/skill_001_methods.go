package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill001 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-001",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `server with skills must implement skills/list, skills/get and resources

A client learns from the declared extension that it may ask for skills, and reads their files with resources/read. If a
method is missing, or the capability resources is not declared, hosts show no skills. Older drafts had an index.json
instead.

Implement skills/list and skills/get, and declare the capability resources.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.List(ctx, "skills/list")
		if err != nil {
			return err
		}
		if list.Refused != nil {
			p.Report(Evidence{Exchange: last(list.Pages)}, "skills/list failed with error %d: %s, expected the skills",
				list.Refused.Code, errorLine(list.Refused))
		} else if raw := At(last(list.Pages).Reply.Result, "/skills"); schema.Kind(raw) != '[' {
			p.Report(Evidence{Exchange: last(list.Pages), Pointer: "/skills"}, "skills is %s, expected an array", show(raw))
		}
		ex, err := p.tryCall(ctx, "skills/get", mcp.Object("uri", unknownSkill))
		if err != nil {
			return err
		}
		if ex != nil && ex.Reply.Error != nil && ex.Reply.Error.Code == mcp.CodeMethodNotFound {
			p.Report(Evidence{Exchange: ex}, "skills/get is not implemented (error %d), expected it beside skills/list",
				ex.Reply.Error.Code)
		}
		if handshake, err := p.Handshake(ctx); err == nil && !p.Declares("resources") {
			p.Report(Evidence{Exchange: handshake, Pointer: "/capabilities"},
				"the server declares skills but not resources, expected the capability resources")
		}
		return nil
	},
}

// unknownSkill is the URI of a skill that no server has.
const unknownSkill = "skill://mcptest-no-such-skill/SKILL.md"
