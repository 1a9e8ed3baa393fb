package recording

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// MatchesRedacted reports whether a text equals a recorded one in which each redacted value stands for any text.
func MatchesRedacted(recorded, text string) bool {
	parts := strings.Split(recorded, redact.Placeholder)
	last := parts[len(parts)-1]
	if !strings.HasPrefix(text, parts[0]) || len(text) < len(parts[0])+len(last) || !strings.HasSuffix(text, last) {
		return false
	}
	rest := text[len(parts[0]) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return true
}
