package hostrun

import "strconv"

// claudeCode passes all tools to the model if its tool search is disabled.
var claudeCode = Host{
	ID: "claude-code", Aliases: []string{"claude"}, Package: "@anthropic-ai/claude-code", Program: "claude",
	API:        messagesAPI,
	SearchTool: "ToolSearch", SearchLimit: "max_results",
	Owns: prefixed("mcp__", "__"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{"servers.json": serversJSON(s, nil)},
			Args: []string{"-p", s.Prompt, "--mcp-config", s.Home + "/servers.json", "--strict-mcp-config",
				"--dangerously-skip-permissions"},
			Env: []string{"ANTHROPIC_BASE_URL=" + s.Model, "ANTHROPIC_API_KEY=" + modelKey, "IS_SANDBOX=1",
				"ENABLE_TOOL_SEARCH=" + strconv.FormatBool(s.Search), "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
				"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				"CLAUDE_CONFIG_DIR=" + s.Home + "/.claude"},
		}
	},
}
