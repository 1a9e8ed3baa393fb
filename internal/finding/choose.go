package finding

import (
	"slices"
	"strings"
)

// Matches reports whether a pattern selects the rule: by its ID (SCH-001), its family (SEC, copilot) or a glob (SCH-*),
// ignoring case.
func Matches(id, pattern string) bool {
	id, pattern = strings.ToLower(id), strings.ToLower(strings.TrimSpace(pattern))
	return id == pattern || strings.ToLower(Family(id)) == pattern || glob(id, pattern)
}

// MatchesAny reports whether one of the patterns selects the rule.
func MatchesAny(id string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return Matches(id, pattern) })
}

// glob matches * against any text, including slashes.
func glob(s, pattern string) bool {
	first, rest, found := strings.Cut(pattern, "*")
	if !found {
		return s == pattern
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	for s = s[len(first):]; ; s = s[1:] {
		if glob(s, rest) {
			return true
		}
		if s == "" {
			return false
		}
	}
}
