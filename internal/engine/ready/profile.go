package ready

// A profile is where the requirements of a place come from, and of when they are.
type profile struct {
	title  string
	of     string // which version, of what
	date   string
	source string
}

var profiles = map[string]profile{
	Registry: {"MCP registry", "registry 1.8.7, schema 2025-12-11", "2026-10-30",
		"https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json"},
	MCPB: {"Bundles (MCPB)", "@anthropic-ai/mcpb 2.1.2, manifests 0.1 to 0.4", "2026-11-15",
		"https://github.com/anthropics/mcpb/blob/main/MANIFEST.md"},
	Claude: {"Claude directory", "review criteria", "2026-11-15",
		"https://claude.com/docs/connectors/building/review-criteria"},
	ChatGPT: {"ChatGPT apps", "Apps SDK", "2026-11-15", "https://developers.openai.com/apps-sdk"},
}

// The sources of single requirements, of the same date as their profile.
const (
	claudeAuth      = "https://claude.com/docs/connectors/building/authentication"
	claudeChecklist = "https://github.com/anthropics/claude-plugins-official" // its directory checklist
	chatGPTAuth     = "https://developers.openai.com/apps-sdk/build/auth"
)
