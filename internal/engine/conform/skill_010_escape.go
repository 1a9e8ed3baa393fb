package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill010 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-010",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `URI of a skill's file must not give access to other files

The path in the URI comes from the client, and from instructions in the skill. If the server joins it to a folder
without a check, ../ or %2e%2e reads any file that the server can read. The check reads the hosts file.

Serve only the listed files, or resolve the path and reject it if it is outside of the skill.`,
	},
	Since:      spec.November2025,
	Needs:      skillsCapability,
	Disruptive: true, // it looks like an attack
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Skills(ctx)
		if err != nil {
			return err
		}
		root := skills.Root(list.Items[0].Name)
		if root == "" {
			return p.Skip("the first skill has no SKILL.md")
		}
		for _, up := range []string{"../", "%2e%2e/", "%2e%2e%2f", `..\`} {
			uri := root + "/" + strings.Repeat(up, 12) + hostsFile[1:]
			ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
			if err != nil {
				return err
			}
			if hasHostsFile(ex.Reply.Result) {
				p.Report(Evidence{Subject: list.Items[0].Name, Exchange: ex},
					"reading %s returned the hosts file of the machine, expected an error", quoted(uri))
				return nil
			}
		}
		return nil
	},
}
