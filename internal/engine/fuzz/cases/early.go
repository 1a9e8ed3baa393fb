package cases

import (
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// maxEarlyTexts limits the texts of a tool that get such values before all other changes.
const maxEarlyTexts = 3

// shortLetters are short texts in letters beyond ASCII: the first one that an argument may have.
var shortLetters = []string{"Zoë 日本", "ë"}

// earlyTexts are the changes of plain texts that come before all others: letters beyond ASCII, and a text on which a
// regular expression takes exponential time. A slow tool gets only a few calls.
func (g *Generator) earlyTexts() (letters, backtracks []edit) {
	g.bases[0].walk(func(n *node) {
		if !n.isPlainText() || len(letters) >= maxEarlyTexts {
			return
		}
		for _, text := range shortLetters {
			if n.mayHaveLength(utf8.RuneCountInString(text)) {
				letters = append(letters, replace(n, AgentMistake, "non-ASCII letters", string(rawjson.Quote(text)))...)
				break
			}
		}
		if all := backtracking(n); len(all) > 0 {
			backtracks = append(backtracks, all[0])
		}
	})
	return letters, backtracks
}

// isPlainText reports whether a node is a text whose schema lists no values, and states no pattern or format.
func (n *node) isPlainText() bool {
	return n.kind == '"' && !n.rules.Has("enum") && !n.rules.Has("const") && !n.rules.Has("pattern") && !n.rules.Has("format")
}

// mayHaveLength reports whether a text of a length is within the limits of the schema.
func (n *node) mayHaveLength(length int) bool {
	least, _ := count(n, "minLength")
	most, limited := count(n, "maxLength")
	return length >= least && (!limited || length <= most)
}

// without returns the changes that are not among others.
func without(all, others []edit) (left []edit) {
	for _, e := range all {
		known := false
		for _, other := range others {
			known = known || e.at == other.at && e.value != nil && string(e.value) == string(other.value)
		}
		if !known {
			left = append(left, e)
		}
	}
	return left
}
