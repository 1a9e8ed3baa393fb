package hosts

// checked is the date on which the profiles without a run were last compared with their sources.
const checked = "2026-11-14"

// recorded is the date on which the hosts with a version were run.
const recorded = "2026-11-15"

func openAIStrict() Profile {
	return Profile{
		ID: "openai-strict", API: true, Name: "OpenAI, strict function calling", Checked: checked, OptIn: true,
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
		ID: "anthropic", API: true, Name: "Anthropic API", Checked: checked,
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
		ID: "anthropic-strict", API: true, Name: "Anthropic API, strict tools", Checked: checked, OptIn: true,
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
		ID: "gemini", API: true, Name: "Gemini API", Checked: checked,
		Sources: []string{
			"https://ai.google.dev/gemini-api/docs/function-calling",
			"https://github.com/google-gemini/gemini-cli/issues/2141",
			"https://github.com/google-gemini/gemini-cli/issues/11393",
			"https://github.com/google-gemini/gemini-cli/issues/5388",
		},
		ToolName: Name{Pattern: `^[a-zA-Z_][a-zA-Z0-9_.:-]*$`, Max: 64},
	}
}

func copilot() Profile {
	return Profile{
		ID: "copilot", Name: "VS Code Copilot", Checked: "2026-03-28",
		Sources: []string{
			"https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		},
		MaxTools: 128,
		view:     copilotView,
	}
}

func codex() Profile {
	return Profile{
		ID: "codex", Name: "OpenAI Codex CLI", Version: "0.166.0", Checked: recorded,
		Sources: []string{
			"https://github.com/openai/codex/blob/main/codex-rs/tools/src/json_schema.rs",
			"https://github.com/openai/codex/blob/main/codex-rs/codex-mcp/src/tools.rs",
		},
		ToolName: Name{Pattern: `^[A-Za-z0-9_]+$`, Max: 128}, MaxTools: 2048,
		view: codexView,
	}
}

func claudeCode() Profile {
	return Profile{
		ID: "claude-code", Name: "Claude Code", Version: "2.1.325", Checked: recorded,
		Sources: []string{"https://github.com/anthropics/claude-code"},
		view:    claudeCodeView,
	}
}

func geminiCLI() Profile {
	return Profile{
		ID: "gemini-cli", Name: "Gemini CLI", Version: "0.61.0", Checked: recorded,
		Sources:   []string{"https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/mcp-tool.ts"},
		StrictOut: true, Banner: true,
		view: geminiCLIView,
	}
}

func copilotCLI() Profile {
	return Profile{
		ID: "copilot-cli", Name: "GitHub Copilot CLI", Version: "1.0.102", Checked: recorded,
		Sources: []string{"https://github.com/github/copilot-cli"},
		view:    copilotCLIView,
	}
}

func opencode() Profile {
	return Profile{
		ID: "opencode", Name: "opencode", Version: "1.18.33", Checked: recorded,
		Sources: []string{"https://github.com/sst/opencode"},
		view:    opencodeView,
	}
}

func kilo() Profile {
	return Profile{
		ID: "kilo", Name: "Kilo", Version: "7.7.9", Checked: recorded,
		Sources: []string{"https://github.com/Kilo-Org/kilocode"},
		view:    kiloView,
	}
}

func qwenCode() Profile {
	return Profile{
		ID: "qwen-code", Name: "Qwen Code", Version: "0.15.10", Checked: recorded,
		Sources: []string{"https://github.com/QwenLM/qwen-code"},
		view:    qwenCodeView,
	}
}

func continueCLI() Profile {
	return Profile{
		ID: "continue", Name: "Continue", Version: "1.5.47", Checked: recorded,
		Sources: []string{"https://github.com/continuedev/continue"},
		view:    continueView,
	}
}

func cline() Profile {
	return Profile{
		ID: "cline", Name: "Cline", Version: "3.0.65", Checked: recorded,
		Sources:   []string{"https://github.com/cline/cline"},
		StrictOut: true,
		view:      clineView,
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
