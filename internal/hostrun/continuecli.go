package hostrun

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// continueCLI gives the tools of servers no prefix, so that those of its own are recognized by their names.
var continueCLI = Host{
	ID: "continue", Aliases: []string{"continue-cli", "cn"}, Package: "@continuedev/cli", Program: "cn", API: chatAPI,
	Owns: func(_ string, tool hosts.Tool) bool { return !slices.Contains(continueTools, tool.Name) },
	Plan: func(s Setup) Plan {
		config := text(map[string]any{ // JSON is YAML
			"name": "scripted", "version": "1.0.0", "schema": "v1",
			"models": []any{map[string]any{"name": "scripted", "provider": "openai", "model": "gpt-4.1",
				"apiBase": s.Model + "/v1", "apiKey": modelKey, "roles": []string{"chat"},
				"capabilities": []string{"tool_use"}}},
			"mcpServers": []any{map[string]any{"name": s.Server, "command": s.Command[0], "args": s.Command[1:]}},
		})
		return Plan{
			Files: map[string]string{"config.yaml": config},
			Args:  []string{"-p", s.Prompt, "--config", s.Home + "/config.yaml", "--auto"},
			Env: []string{"CONTINUE_GLOBAL_DIR=" + s.Home + "/.continue", "CONTINUE_CLI_ENABLE_TELEMETRY=0",
				"CONTINUE_TELEMETRY_ENABLED=0", "CONTINUE_ALLOW_ANONYMOUS_TELEMETRY=0"},
		}
	},
}

// continueTools are the tools of the host itself.
var continueTools = []string{"Read", "Edit", "MultiEdit", "Write", "List", "Bash", "Fetch", "Checklist", "Search", "Exit",
	"Status", "Subagent", "Skills", "AskQuestion", "ReportFailure", "UploadArtifact", "CheckBackgroundJob"}
