package hostrun

var opencode = Host{
	ID: "opencode", Package: "opencode-ai", Program: "opencode", API: chatAPI,
	Owns: prefixed("", "_"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{".config/opencode/opencode.json": opencodeConfig(s)},
			Args:  []string{"run", s.Prompt},
			Env: []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
				"OPENCODE_DISABLE_LSP_DOWNLOAD=1"},
		}
	},
}

// opencodeConfig returns the config file of opencode and of hosts that are made from it.
func opencodeConfig(s Setup) string {
	return text(map[string]any{
		"autoupdate": false, "share": "disabled", "model": "scripted/gpt-4.1",
		"small_model": "scripted/gpt-4.1", "permission": map[string]any{"*": "allow"},
		"provider": map[string]any{"scripted": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "scripted",
			"options": map[string]any{"baseURL": s.Model + "/v1", "apiKey": modelKey},
			"models":  map[string]any{"gpt-4.1": map[string]any{"name": "scripted", "tool_call": true}},
		}},
		"mcp": map[string]any{s.Server: map[string]any{"type": "local", "command": s.Command, "enabled": true}},
	})
}
