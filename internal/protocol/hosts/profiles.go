package hosts

// checked is the date on which all profiles were last compared with their sources.
const checked = "2026-11-14"

func openAIStrict() Profile {
	return Profile{
		ID: "openai-strict", Name: "OpenAI, strict function calling", Checked: checked, OptIn: true,
		Sources: []string{
			"https://platform.openai.com/docs/guides/structured-outputs",
			"https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py",
			"https://github.com/openai/openai-agents-python/issues/449",
		},
		ToolName: Name{Pattern: `^[a-zA-Z0-9_-]+$`, Max: 64}, MaxTools: 128,
	}
}

func anthropic() Profile {
	return Profile{
		ID: "anthropic", Name: "Anthropic API", Checked: checked,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/5973",
			"https://github.com/anthropics/claude-code/issues/34771",
			"https://github.com/anthropics/claude-code/issues/2412",
		},
		ToolName: Name{Pattern: `^[a-zA-Z0-9_-]+$`, Max: 128}, PropertyKey: Name{Pattern: `^[a-zA-Z0-9_.-]+$`, Max: 64},
	}
}

func anthropicStrict() Profile {
	return Profile{
		ID: "anthropic-strict", Name: "Anthropic API, strict tools", Checked: checked, OptIn: true,
		Sources: []string{
			"https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
			"https://github.com/anthropics/anthropic-sdk-python/issues/1185",
			"https://github.com/firebase/genkit/issues/5230",
		},
		ToolName: Name{Pattern: `^[a-zA-Z0-9_-]+$`, Max: 128}, PropertyKey: Name{Pattern: `^[a-zA-Z0-9_.-]+$`, Max: 64},
		MaxTools: 20,
	}
}

func gemini() Profile {
	return Profile{
		ID: "gemini", Name: "Gemini API and Gemini CLI", Checked: checked,
		Sources: []string{
			"https://ai.google.dev/gemini-api/docs/function-calling",
			"https://github.com/google-gemini/gemini-cli/issues/2141",
			"https://github.com/google-gemini/gemini-cli/issues/11393",
			"https://github.com/google-gemini/gemini-cli/issues/5388",
			"https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/mcp-tool.ts",
		},
		ToolName: Name{Pattern: `^[a-zA-Z_][a-zA-Z0-9_.:-]*$`, Max: 64},
		view:     geminiView,
	}
}

func copilot() Profile {
	return Profile{
		ID: "copilot", Name: "VS Code Copilot", Checked: checked,
		Sources: []string{
			"https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		},
		MaxTools: 128,
		view:     copilotView,
	}
}

func codex() Profile {
	return Profile{
		ID: "codex", Name: "OpenAI Codex CLI", Checked: checked,
		Sources:  []string{"https://github.com/openai/codex/blob/main/codex-rs/tools/src/json_schema.rs"},
		ToolName: Name{Pattern: `^[A-Za-z0-9_]+$`, Max: 128},
		view:     codexView,
	}
}

func cursor() Profile {
	return Profile{
		ID: "cursor", Name: "Cursor", Checked: checked,
		Sources: []string{
			"https://github.com/ComposioHQ/composio/issues/2788",
			"https://github.com/awslabs/mcp/issues/1283",
		},
		ToolName: Name{Max: 60}, MaxTools: 40,
		view: cursorView,
	}
}
