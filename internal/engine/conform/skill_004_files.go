package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
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
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachSkill(ctx, func(item mcp.Item, at Evidence) {
			files, err := schema.Elements(At(item.Raw, "/resources"))
			root := skillRoot(item.Name)
			if err != nil || root == "" {
				return
			}
			seen := map[string]bool{}
			for i, file := range files {
				uri := schema.TextAt(file, "/uri")
				at.Pointer = fmt.Sprintf("/resources/%d/uri", i)
				switch {
				case uri == "":
				case seen[uri]:
					p.Report(at, "duplicate file: %s", quoted(uri))
				case !insideSkill(uri, root):
					p.Report(at, "file %s is not in the directory of the skill, expected a URI below %s", quoted(uri),
						quoted(root))
				}
				seen[uri] = true
			}
			if at.Pointer = "/resources"; !seen[item.Name] {
				p.Report(at, "the files do not include %s, expected the SKILL.md of the skill", quoted(item.Name))
			}
		})
	},
}
