package hostrun

// copilotCLI uses a model of another provider without signing in.
var copilotCLI = Host{
	ID: "copilot-cli", Aliases: []string{"copilot"}, Package: "@github/copilot", Program: "copilot", API: chatAPI,
	Owns: prefixed("", "-"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{"servers.json": serversJSON(s, map[string]any{"type": "local", "tools": []string{"*"}})},
			Args: []string{"-p", s.Prompt, "--allow-all-tools", "--no-auto-update", "--additional-mcp-config",
				"@" + s.Home + "/servers.json"},
			Env: []string{"COPILOT_PROVIDER_BASE_URL=" + s.Model + "/v1", "COPILOT_PROVIDER_TYPE=openai",
				"COPILOT_PROVIDER_WIRE_API=completions", "COPILOT_PROVIDER_API_KEY=" + modelKey, "COPILOT_MODEL=gpt-4.1",
				"COPILOT_PROVIDER_MAX_PROMPT_TOKENS=10000000", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"},
		}
	},
}
