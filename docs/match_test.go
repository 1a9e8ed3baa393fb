package docs

import (
	"regexp"
	"strings"
	"testing"
)

// shows tells whether a program printed what a page shows. "…" stands for any part of a line, and alone on a line for
// any lines. Spaces at the end of lines and empty lines at the end do not count.
func shows(page, printed string) bool {
	var pattern strings.Builder
	pattern.WriteString(`(?s)^`)
	for _, line := range strings.Split(tidy(page), "\n") {
		if strings.TrimSpace(line) == "…" {
			pattern.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		for i, part := range strings.Split(line, "…") {
			if i > 0 {
				pattern.WriteString(`[^\n]*`)
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		pattern.WriteString(`\n`)
	}
	pattern.WriteString(`$`)
	return regexp.MustCompile(pattern.String()).MatchString(tidy(printed) + "\n")
}

var endSpaces = regexp.MustCompile(`(?m)[ \t]+$`)

func tidy(s string) string {
	return strings.TrimRight(endSpaces.ReplaceAllString(strings.ReplaceAll(s, "\r", ""), ""), "\n")
}

func TestShows(t *testing.T) {
	for _, c := range []struct {
		page, printed string
		want          bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nb\nc\n", false},
		{"a\n", "b\n", false},
		{"a … c\n", "a b c\n", true},
		{"a … c\n", "a b\nc\n", false},
		{"a\n…\n", "a\nb\nc\n", true},
		{"…\nc\n", "a\nb\nc\n", true},
		{"a\n…\nc\n", "a\nc\n", true},
		{"a\n…\nc\n", "a\nb\nd\n", false},
		{"a.c\n", "abc\n", false},
	} {
		if got := shows(c.page, c.printed); got != c.want {
			t.Errorf("shows(%q, %q) = %v, want %v", c.page, c.printed, got, c.want)
		}
	}
}
