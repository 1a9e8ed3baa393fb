package catalog

import (
	"slices"
	"strings"
)

// negations introduce what a query does not ask for: "issues but not pull requests".
var negations = [][]string{
	{"not"}, {"except"}, {"excluding"}, {"exclude"}, {"without"}, {"instead", "of"}, {"rather", "than"},
	{"other", "than"},
}

// maxNegated is the number of words that a negation covers.
const maxNegated = 3

// negatedWeight is what remains of the score of a tool that is named after what a query does not ask for.
const negatedWeight = .3

// negated splits a query into what it asks for and the words that it does not ask for. A negation covers the next words
// up to the end of the clause. A query that would ask for nothing is taken as it is: "do not disturb".
func negated(text string) (wanted string, unwanted []string) {
	words := strings.Fields(text)
	var asked []string
	for i := 0; i < len(words); i++ {
		n := negation(words[i:])
		if n == 0 {
			asked = append(asked, words[i])
			continue
		}
		covered := clause(words[i+n:])
		unwanted = append(unwanted, covered...)
		i += n + len(covered) - 1
	}
	if len(unwanted) == 0 || !slices.ContainsFunc(asked, hasContent) {
		return text, nil
	}
	return strings.Join(asked, " "), unwanted
}

// clause returns the words up to the end of a clause, a few at most.
func clause(words []string) []string {
	for i, w := range words[:min(maxNegated, len(words))] {
		if slices.Contains(clauseStarts, strings.ToLower(w)) {
			return words[:i]
		}
		if strings.ContainsAny(w[len(w)-1:], ",.;:!?)") {
			return words[:i+1]
		}
	}
	return words[:min(maxNegated, len(words))]
}

// clauseStarts are words that begin another clause.
var clauseStarts = []string{"but", "and", "in", "on", "from", "for", "with", "by", "at", "to", "using"}

// negation returns the number of words of the negation that words begin with.
func negation(words []string) int {
	for _, n := range negations {
		if len(words) > len(n) && slices.EqualFunc(words[:len(n)], n, strings.EqualFold) {
			return len(n)
		}
	}
	return 0
}

// hasContent reports whether a word says something about a tool.
func hasContent(word string) (has bool) {
	eachWord(word, func(w string) { has = has || !stopWords()[w] && !weakWords()[w] })
	return has
}

// unwanted returns the stems of words that a query does not ask for; none if no tool can have all of them.
func (x *index) unwanted(words []string) (stems []uint32) {
	known := true
	for _, word := range words {
		eachWord(word, func(w string) {
			if stopWords()[w] {
				return
			}
			term, ok := x.terms[stem(w)]
			known = known && ok
			stems = append(stems, term)
		})
	}
	if !known {
		return nil
	}
	return stems
}

// demote lowers the scores of the tools whose names have all words that the query does not ask for.
func (x *index) demote(q *query, all []found) {
	if len(q.unwanted) == 0 {
		return
	}
	for i := range all {
		name := x.entries[all[i].entry].words[inName]
		if !slices.ContainsFunc(q.unwanted, func(stem uint32) bool {
			return !slices.ContainsFunc(name, func(w word) bool { return w.stem == stem })
		}) {
			all[i].score *= negatedWeight
		}
	}
}
