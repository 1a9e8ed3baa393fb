package lint

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual002 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-002",
		Severity: finding.Warning,
		Doc: `description repeats the name

The description costs tokens and adds nothing to the name: the model still does not know when to call the tool and what
it returns.

Describe what the name does not express.`,
	},
	Check: func(p *Pass) {
		words := p.Tool.words
		known := nameWords(p.Tool.Name)
		title, _ := p.Tool.Text("title")
		known = append(known, append(nameWords(title), "the", "a", "an", "tool", "of", "this", "to", "for")...)
		if len(words) < 2 || slices.ContainsFunc(words, func(w string) bool { return !containsWord(known, w) }) {
			return
		}
		p.Report("/description", "the description adds nothing to the name: %s", quoted(p.Tool.Description()))
	},
}

// containsWord reports whether a word is in the set, in singular, plural or third person form.
func containsWord(known []string, word string) bool {
	return slices.ContainsFunc(known, func(k string) bool {
		return k == word || joins(word, k, "s") || joins(k, word, "s") || joins(word, k, "es") ||
			joins(word, strings.TrimSuffix(k, "y"), "ies")
	})
}

// joins reports whether whole is the stem with the ending.
func joins(whole, stem, ending string) bool {
	return len(whole) == len(stem)+len(ending) && strings.HasPrefix(whole, stem) && strings.HasSuffix(whole, ending)
}
