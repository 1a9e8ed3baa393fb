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

// maxFuzzyWords is the maximum number of query words that are corrected: each requires a scan of all words.
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
			if strings.TrimPrefix(x.lists[f.term].text, "=")[0] == word[0] {
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
		for _, p := range x.lists[f.term].postings {
			if (s.in == nil || s.in[p.entry]) && p.field < f.fields() {
				return true
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
	for term := range x.lists {
		l := &x.lists[term]
		if l.stem || len(l.postings) == 0 || bits.OnesCount32(own^l.letters) > 2*allowed {
			continue
		}
		d := typo.Distance(word, strings.TrimPrefix(l.text, "="), allowed)
		if d > allowed || !x.anyIn([]form{{term: uint32(term)}}, s) {
			continue
		}
		if d < allowed {
			allowed, out = d, nil
		}
		out = append(out, form{term: uint32(term), weight: typoWeight})
	}
	return out
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
