package hosts

import (
	"strings"
	"unicode"
)

// geminiView renames as Gemini CLI does: a prefix, other characters replaced, the middle of a long name
// removed.
func geminiView(t Tool) Tool {
	t.Name = GeminiName(t.Name)
	return t
}

// GeminiName returns the function name under which Gemini CLI offers a tool.
func GeminiName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_-.:", r) {
			return r
		}
		return '_'
	}, name)
	if !strings.HasPrefix(clean, "mcp_") {
		clean = "mcp_" + clean
	}
	if len(clean) > 63 {
		clean = clean[:30] + "..." + clean[len(clean)-30:]
	}
	return clean
}
