package hostrun

var geminiCLI = Host{
	ID: "gemini-cli", Aliases: []string{"gemini"}, Package: "@google/gemini-cli", Program: "gemini", API: generateAPI,
	Owns: prefixed("mcp_", "_"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{".gemini/settings.json": mergeJSON(serversJSON(s, map[string]any{"trust": true}),
				`{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},`+
					`"telemetry":{"enabled":false},"general":{"enableAutoUpdate":false,"enableAutoUpdateNotification":false}}`)},
			Args: []string{"-p", s.Prompt, "--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro"},
			Env: []string{"GOOGLE_GEMINI_BASE_URL=" + s.Model, "GEMINI_API_KEY=" + modelKey,
				"GEMINI_CLI_TRUST_WORKSPACE=true"},
		}
	},
}
