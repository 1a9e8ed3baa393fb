package hosts

import "github.com/mcptest-dev/mcptest/internal/protocol/spec"

// observations holds what the hosts with a version did when they were run, by ID.
var observations = map[string]Observed{
	"codex": {
		Requests: []string{spec.June2025}, Search: "tool_search, with models of its catalog", Noise: "skipped",
		Instructions: Instructions{Shown: true, Where: "description of the namespace"},
		Start:        "1 s, then the model is asked without the server; 30 s if the server is required",
		Call:         "300 s",
		Result: Result{Texts: "parts, after the wall time", Image: "image", Audio: "omitted, with a note",
			Structured: "JSON", Both: "structuredContent only", Link: "JSON of the block", Embedded: "JSON of the block",
			Error: "text without a mark",
			Long: Long{Whole: 6_000, Cut: 600_000, Kept: 48_000,
				How: "the first and the last 24,000 characters; 6,000 each from 20,000 on with models that it does not know"}},
	},
	"claude-code": {
		Requests: []string{spec.July2026, spec.November2025}, Search: "ToolSearch", ListChanged: true, Noise: "skipped",
		Instructions: Instructions{Shown: true, Max: 4096, Where: "prompt"},
		Start:        "30 s", Call: "more than 330 s",
		Result: Result{Texts: "parts", Image: "image, and a file", Audio: "path of a file", Structured: "JSON",
			Both: "structuredContent only", Link: "[Resource link: …]", Embedded: "text with its URI",
			Error: "marked as an error",
			Long:  Long{Whole: 45_000, Cut: 60_000, Kept: 2_000, How: "a file, and its first 2 KB"}},
	},
	"gemini-cli": {
		Requests: []string{spec.June2025}, Pages: 1, ListChanged: true, Noise: "the server is lost, even for an empty line; lines before its first message are skipped",
		Instructions: Instructions{Shown: true, Where: "prompt"},
		Start:        "more than 330 s", Call: "more than 330 s",
		Result: Result{Texts: "inside `<untrusted_context>`", Image: "inline data", Audio: "omitted",
			Structured: "nothing", Both: "text only", Link: "name and URI", Embedded: "text", Error: "error, JSON of the call",
			Long: Long{Whole: 30_000, Cut: 45_000, Kept: 40_000, How: "the first 8,000 and the last 32,000 characters, and a file"}},
	},
	"copilot-cli": {
		Requests: []string{spec.July2026, spec.November2025}, ListChanged: true, Noise: "skipped",
		Start: "60 s", Call: "180 s",
		Result: Result{Texts: "joined without a gap", Image: "empty text (models without vision)", Audio: "empty text",
			Structured: "JSON", Both: "both", Link: "empty text", Embedded: "text", Error: "text after MCP server 'NAME':",
			Long: Long{Cut: 40_000, Kept: 500, How: "a file, and its first 500 characters"}},
	},
	"opencode": {
		Requests: []string{spec.November2025}, Noise: "skipped",
		Instructions: Instructions{Shown: true, Where: "prompt"}, Start: "30 s", Call: "60 s",
		Result: Result{Texts: "a blank line between them", Image: "empty text (models without vision)", Audio: "empty text",
			Structured: "JSON", Both: "text only", Link: "empty text", Embedded: "text", Error: "text without a mark",
			Long: Long{Whole: 40_000, Cut: 600_000, How: "a file, and its first 2,000 lines; nothing of a single line"}},
	},
	"kilo": {
		Requests: []string{spec.November2025}, ListChanged: true, Noise: "skipped",
		Instructions: Instructions{Shown: true, Where: "prompt"}, Start: "not measured", Call: "not measured",
		Result: Result{Texts: "a blank line between them", Image: "empty text (models without vision)", Audio: "empty text",
			Structured: "JSON", Both: "text only", Link: "empty text", Embedded: "text", Error: "text without a mark",
			Long: Long{Whole: 40_000, Cut: 600_000, How: "a file, and nothing of its text"}},
	},
	"qwen-code": {
		Requests: []string{spec.November2025}, Pages: 2, Search: "tool_search", Noise: "skipped", Start: "60 s", Call: "more than 330 s",
		Result: Result{Texts: "joined by newlines", Image: "a note that it is unsupported",
			Audio: "a note that it is unsupported", Structured: "Tool execution succeeded.", Both: "text only",
			Link: "name and URI", Embedded: "text", Error: "error, JSON of the call",
			Long: Long{Whole: 20_000, Cut: 26_000, Kept: 21_000,
				How: "a file, its first 4,000 and last 17,000 characters; the first 5,000 of a single line"}},
	},
	"continue": {
		Requests: []string{spec.November2025}, Pages: 1, Noise: "skipped",
		Start: "60 s, once more, then the host exits with status 1", Call: "60 s",
		Result: Result{Texts: "JSON of the list", Image: "base64 as text", Audio: "base64 as text", Structured: "[]",
			Both: "text only", Link: "JSON of the block", Embedded: "JSON of the block", Error: "text without a mark",
			Long: Long{Whole: 600_000, How: "whole"}},
	},
	"cline": {
		Requests: []string{spec.November2024}, Pages: 1, Noise: "the server is lost for a line that is not JSON",
		Start: "about 5 s, two starts", Call: "60 s",
		Result: Result{Texts: "JSON of the result", Image: "base64 as text", Audio: "base64 as text", Structured: "JSON",
			Both: "both", Link: "JSON of the block", Embedded: "JSON of the block", Error: "JSON with isError",
			Long: Long{Cut: 600_000, Kept: 8_000, How: "the first and the last 4,000 characters"}},
	},
}
