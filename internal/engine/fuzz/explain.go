package fuzz

import (
	"fmt"
	"strings"
)

// Explain is the documentation of a rule as Markdown.
func Explain(id string) (string, bool) {
	for _, r := range Rules() {
		if !strings.EqualFold(r.ID, id) {
			continue
		}
		_, body, _ := strings.Cut(r.Doc, "\n")
		return fmt.Sprintf("# %s: %s\n\nSeverity: %s. Found by `mcptest fuzz%s`; counts for `fuzz.%s` in a "+
			"suite.\n\n%s\n", r.ID, r.Title(), r.Severity, needs(r.ID), class(r.ID), strings.TrimSpace(body)), true
	}
	return "", false
}

// needs is the option that enables a rule.
func needs(rule string) string {
	switch rule {
	case "FUZZ-012":
		return " --wire"
	case "FUZZ-013":
		return " --stateful"
	}
	return ""
}
