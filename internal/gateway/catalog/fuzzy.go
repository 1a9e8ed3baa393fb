package catalog

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/typo"
)

// typoWeight is the weight of a word with a similar spelling.
const typoWeight = .7

// few is the number of results below which the query may be misspelled.
const few = 3

// minMisspelled is the number of letters below which a word has too many similar ones.
const minMisspelled = 4

// maxFuzzyWords is the maximum number of query words that are corrected: each requires a scan of many words.
const maxFuzzyWords = 4

// addFuzzy adds similar spellings, which differ by a letter or two, for the words that no tool in scope has. It reports
// whether there were any.
func (x *index) addFuzzy(q *query, s *scope) bool {
	near := map[int][]form{} // by word
	for i := range q.parts {
		p := &q.parts[i]
		if p.extra || x.anyIn(p.forms, s) {
			continue
		}
		forms, known := near[p.word]
		if !known && len(near) < maxFuzzyWords {
			forms = x.close(q.words[p.word], s)
			near[p.word] = forms
		}
		p.forms = append(p.forms, forms...)
	}
	return slices.ContainsFunc(q.parts, func(p part) bool { return len(near[p.word]) > 0 })
}

// correct adds similar spellings for the words that no tool in scope has in any form, although other words of the query
// are found. Only spellings with the same first letter count, and no names: they are written with a capital letter.
func (x *index) correct(q *query, s *scope) {
	known := make([]bool, len(q.words))
	for _, p := range q.parts {
		known[p.word] = known[p.word] || x.anyIn(p.forms, s)
	}
	corrected := 0
	for i := range q.parts {
		p := &q.parts[i]
		word := q.words[p.word]
		if p.extra || known[p.word] || len(word) < minMisspelled || weakWords()[word] || corrected == maxFuzzyWords ||
			q.isName(word) {
			continue
		}
		known[p.word] = true
		corrected++
		for _, f := range x.close(word, s) {
			if x.lists[f.term].text[len(writtenMark)] == word[0] {
				p.forms = append(p.forms, f)
			}
		}
	}
}

// isName reports whether a word is written with a capital letter after the first word of the query.
func (q *query) isName(word string) bool {
	for i, w := range strings.Fields(q.text) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		if first, _ := utf8.DecodeRuneInString(w); i > 0 && unicode.IsUpper(first) && strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// anyIn reports whether a tool in scope has one of the forms.
func (x *index) anyIn(forms []form, s *scope) bool {
	for _, f := range forms {
		l := &x.lists[f.term]
		if !f.named && s.in == nil && len(l.entries) > 0 {
			return true
		}
		at := 0
		for _, p := range l.places {
			if (s.in == nil || s.in[l.entries[at]]) && p.field < f.fields() {
				return true
			}
			if p.last {
				at++
			}
		}
	}
	return false
}

// close returns the written words in scope that are closest to one, if any are close enough.
func (x *index) close(word string, s *scope) []form {
	allowed := 1
	switch {
	case len(word) < minMisspelled:
		return nil
	case len(word) >= 8:
		allowed = 2
	}
	own := letters(word)
	var out []form
	for length := len(word) - allowed; length <= len(word)+allowed && length < len(x.spellings); length++ {
		for _, known := range x.spellings[length] {
			if bits.OnesCount32(own^known.letters) > 2*allowed {
				continue
			}
			d := typo.Distance(word, x.lists[known.term].text[len(writtenMark):], allowed)
			if d > allowed || !x.anyIn([]form{{term: known.term}}, s) {
				continue
			}
			if d < allowed {
				allowed, out = d, nil
			}
			out = append(out, form{term: known.term, weight: typoWeight})
		}
	}
	// by text: the numbers of terms depend on tools out of scope, and the order decides how sums are rounded
	slices.SortFunc(out, func(a, b form) int { return strings.Compare(x.lists[a.term].text, x.lists[b.term].text) })
	return out
}

// A spelling is a written word and the set of its letters.
type spelling struct{ term, letters uint32 }

// addSpelling adds a written word to those that misspelled ones are compared with. Longer ones are never close enough.
func (x *index) addSpelling(word string, term uint32) {
	if len(word) > typo.MaxWord {
		return
	}
	for len(x.spellings) <= len(word) {
		x.spellings = append(x.spellings, nil)
	}
	x.spellings[len(word)] = append(x.spellings[len(word)], spelling{term, letters(word)})
}

// letters is the set of a word's letters. Changing a letter changes it in two positions at most.
func letters(word string) uint32 {
	set := uint32(0)
	for i := range len(word) {
		if c := word[i]; 'a' <= c && c <= 'z' {
			set |= 1 << (c - 'a')
		}
	}
	return set
}
