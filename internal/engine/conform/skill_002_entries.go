package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill002 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-002",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `entry of a skill must have uri, frontmatter and resources

A host builds its list of skills from these entries alone. It must not load an entry without resources: those are either
all files of the skill, with digest and size, or the text "dynamic".

Give each entry the URI of its SKILL.md, the frontmatter with name and description, and resources.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachSkill(ctx, func(item mcp.Item, at Evidence) {
			report := func(pointer, format string, args ...any) {
				at.Pointer = pointer
				p.Report(at, format, args...)
			}
			if uri := At(item.Raw, "/uri"); !strings.HasSuffix(schema.TextAt(item.Raw, "/uri"), skillFile) {
				report("/uri", "uri is %s, expected the URI of a SKILL.md", show(uri))
			}
			for _, name := range []string{"name", "description"} {
				if raw := At(item.Raw, "/frontmatter/"+name); schema.TextAt(item.Raw, "/frontmatter/"+name) == "" {
					report("/frontmatter/"+name, "%s in frontmatter is %s, expected a text", name, show(raw))
				}
			}
			resources := At(item.Raw, "/resources")
			files, _ := schema.Elements(resources)
			if schema.Kind(resources) != '[' && string(resources) != `"dynamic"` {
				report("/resources", "resources is %s, expected a list of files or \"dynamic\"", show(resources))
			}
			for i, file := range files {
				if schema.TextAt(file, "/uri") == "" || schema.TextAt(file, "/digest") == "" ||
					schema.Kind(At(file, "/size")) != '0' {
					report(fmt.Sprintf("/resources/%d", i), "file is %s, expected uri, digest and size", show(file))
				}
			}
		})
	},
}
