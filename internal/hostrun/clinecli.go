package hostrun

// cline reads its provider and its servers from two files.
var cline = Host{
	ID: "cline", Package: "cline", Program: "cline", API: chatAPI,
	Owns: prefixed("", "__"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{
				".cline/data/settings/providers.json": text(map[string]any{"version": 1,
					"lastUsedProvider": "openai-compatible", "providers": map[string]any{"openai-compatible": map[string]any{
						"updatedAt": "2026-01-01T00:00:00Z", "settings": map[string]any{"provider": "openai-compatible", "baseUrl": s.Model + "/v1",
							"apiKey": modelKey, "model": "gpt-4.1"}}}}),
				".cline/data/settings/cline_mcp_settings.json": serversJSON(s, nil),
			},
			Args: []string{"--json", "-P", "openai-compatible", "-m", "gpt-4.1", s.Prompt},
		}
	},
}
