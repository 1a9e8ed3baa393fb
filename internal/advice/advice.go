// Package advice explains why a finding matters and how to fix it, with code for the SDK of the server.
package advice

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// Advice helps to act on the findings of a rule.
type Advice struct {
	Why     string `json:"why,omitempty"`     // one sentence: what it means for a user or a model
	Fix     string `json:"fix,omitempty"`     // what to change
	Snippet string `json:"snippet,omitempty"` // code for the change, in the language of the server
	Link    string `json:"link"`              // the page of the rule
}

// site is the base URL of the documentation; tools/site builds it.
const site = "https://mcptest-dev.github.io/mcptest/"

// For returns the advice for a rule. language selects the snippet: python, typescript, go, or empty for none.
func For(rule finding.Rule, language string) Advice {
	a := Advice{Why: why(rule), Link: Link(rule.ID)}
	for _, t := range topics {
		for _, id := range t.rules {
			if id == rule.ID {
				a.Fix, a.Snippet = t.fix, t.snippets[language]
			}
		}
	}
	if a.Fix == "" {
		a.Fix = lastParagraph(rule)
	}
	return a
}

// Link returns the URL of the page of a rule. It stays the same when the rule moves to another engine.
// Rules of suites and of load have no pages of their own.
func Link(id string) string {
	switch engine, _, _ := strings.Cut(id, "/"); engine {
	case "load":
		return site + "load.html"
	case "suite":
		return site + "suites.html"
	}
	return site + "rules/" + strings.ReplaceAll(id, "/", "-") + ".html"
}

// paragraphs returns the documentation of a rule without its title.
func paragraphs(rule finding.Rule) []string {
	_, body, _ := strings.Cut(rule.Doc, "\n")
	var all []string
	for _, p := range strings.Split(body, "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			all = append(all, p)
		}
	}
	return all
}

// why returns the first sentence after the title.
func why(rule finding.Rule) string {
	all := paragraphs(rule)
	if len(all) == 0 {
		return ""
	}
	for i := range len(all[0]) - 1 {
		if all[0][i:i+2] == ". " && !strings.HasSuffix(all[0][:i], "e.g") && !strings.HasSuffix(all[0][:i], "i.e") {
			return all[0][:i+1]
		}
	}
	return all[0]
}

// lastParagraph returns what to do, for rules whose documentation has a paragraph about it.
func lastParagraph(rule finding.Rule) string {
	all := paragraphs(rule)
	if len(all) < 2 {
		return ""
	}
	return all[len(all)-1]
}
