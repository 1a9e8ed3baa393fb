package hostrun

// qwenCode passes all tools to the model if its tool search is excluded.
var qwenCode = Host{
	ID: "qwen-code", Aliases: []string{"qwen"}, Package: "@qwen-code/qwen-code", Program: "qwen", API: chatAPI,
	Owns: prefixed("mcp__", "__"),
	Plan: func(s Setup) Plan {
		return Plan{
			Files: map[string]string{".qwen/settings.json": mergeJSON(serversJSON(s, map[string]any{"trust": true}),
				`{"security":{"auth":{"selectedType":"openai"}},"privacy":{"usageStatisticsEnabled":false},`+
					`"tools":{"exclude":["tool_search"]},`+
					`"general":{"disableAutoUpdate":true,"disableUpdateNag":true}}`)},
			Args: []string{"--approval-mode", "yolo", "-p", s.Prompt},
			Env: []string{"OPENAI_BASE_URL=" + s.Model + "/v1", "OPENAI_API_KEY=" + modelKey,
				"OPENAI_MODEL=gpt-4.1"},
		}
	},
}
