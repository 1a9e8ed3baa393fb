package lint

import "github.com/mcptest-dev/mcptest/internal/protocol/apps"

// appsSpec is where the requirements for MCP Apps are defined.
const appsSpec = "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx"

// reportApps reports faults of what the tool declares for MCP Apps.
func (p *Pass) reportApps(problems []apps.Problem) {
	for _, one := range problems {
		if one.Warning {
			p.Warn(one.Pointer, "%s", one.Message)
			continue
		}
		p.Report(one.Pointer, "%s", one.Message)
	}
}
