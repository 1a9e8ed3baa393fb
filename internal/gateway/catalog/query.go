package catalog

import (
	"slices"
	"strings"
	"unicode"
)

// A query is a parsed search query.
type query struct {
	text    string
	words   []string   // without stop words and duplicates, in order
	parts   []part     // the terms to look up
	pairs   []pair     // adjacent words: tools that have them adjacent rank higher
	phrases [][]uint32 // the stems of quoted phrases of more than one word
	names   []string   // words that look like a tool name

	unwanted []uint32 // the stems of what it does not ask for
}

// A part is one item to look up: a word as written, or its stem and related stems.
type part struct {
	word   int // the word that it came from
	weight float64
	forms  []form
	extra  bool // synonyms: nothing is missing if there are none
}

// A form is a term that counts for a part, with a weight.
type form struct {
	term   uint32
	weight float64
	named  bool // it counts only in names
}

// fields returns the end of the fields in which the form counts.
func (f form) fields() field {
	if f.named {
		return inName + 1
	}
	return fields
}

// Weights relative to an exact stem match.
const (
	weakWeight    = .2  // a weak word
	writtenWeight = .55 // the word as written, in addition to its stem
	affixWeight   = .28 // a longer word that begins with the stem, or a name that ends with it
	joinedWeight  = 1   // two words of the query in one: "host pool" and hostpool
	minAffix      = 4   // minimum letters of a stem for that
	minRest       = 3   // minimum letters of a name before its ending
)

// parse parses a query of the tools in scope.
func (x *index) parse(text string, s *scope) *query {
	text, unwanted := negated(text)
	q := &query{text: text, names: identifiers(text), unwanted: x.unwanted(unwanted)}
	var all []string
	eachWord(translatePhrases(text), func(w string) {
		if !stopWords()[w] {
			all = append(all, w)
		}
	})
	all = x.translate(all, s)
	stems, had, known := map[string]bool{}, map[string]bool{}, stemmer{}
	for i, w := range all {
		if slices.Contains(q.words, w) {
			continue
		}
		n := len(q.words)
		q.words = append(q.words, w)
		root, weight := known.stem(w), wordWeight(w)
		if !stems[root] {
			stems[root] = true
			forms := slices.Concat(x.relatedTerms(w, root), x.abbreviated(root), x.joined(all, i, known))
			q.parts = append(q.parts, part{word: n, weight: weight, forms: forms})
			if forms := x.conceptual(w, had); len(forms) > 0 {
				q.parts = append(q.parts, part{word: n, weight: weight * conceptWeight, forms: forms, extra: true})
			}
			if forms := x.synonymous(root); len(forms) > 0 {
				q.parts = append(q.parts, part{word: n, weight: weight * synonymWeight, forms: forms, extra: true})
			}
		}
		q.parts = append(q.parts, part{word: n, weight: weight * writtenWeight, forms: x.form(asWritten(w), 1)})
	}
	for i := 1; i < len(all); i++ {
		first, has := x.terms[known.stem(all[i-1])]
		second, both := x.terms[known.stem(all[i])]
		if has && both {
			q.pairs = append(q.pairs, pair{first, second})
		}
	}
	q.phrases = x.phrases(text)
	return q
}

// A stemmer caches the stems of words.
type stemmer map[string]string

func (s stemmer) stem(word string) string {
	found, ok := s[word]
	if !ok {
		found = stem(word)
		s[word] = found
	}
	return found
}

func wordWeight(word string) float64 {
	if weakWords()[word] {
		return weakWeight
	}
	return 1
}

// form is a term, if any tool has it.
func (x *index) form(text string, weight float64) []form {
	term, ok := x.terms[text]
	if !ok {
		return nil
	}
	return []form{{term: term, weight: weight}}
}

// relatedTerms returns a stem, the longer ones that begin with it, and those of names that end with it.
func (x *index) relatedTerms(word, stem string) []form {
	out := x.form(stem, 1)
	if len(stem) < minAffix || weakWords()[word] {
		return out
	}
	first, _ := slices.BinarySearchFunc(x.sorted, stem,
		func(term uint32, s string) int { return strings.Compare(x.lists[term].text, s) })
	for _, term := range x.sorted[first:] {
		if !strings.HasPrefix(x.lists[term].text, stem) {
			break
		}
		if x.lists[term].text != stem {
			out = append(out, form{term: term, weight: affixWeight})
		}
	}
	first, _ = slices.BinarySearchFunc(x.mirror, word,
		func(term uint32, s string) int { return compareBackwards(x.lists[term].text, s) })
	for _, term := range x.mirror[first:] {
		l := &x.lists[term]
		if !strings.HasSuffix(l.text, word) {
			break
		}
		if len(l.text) >= len(word)+minRest {
			out = append(out, form{term: term, weight: affixWeight, named: true})
		}
	}
	return out
}

// joined returns the terms formed by a word and its neighbors.
func (x *index) joined(all []string, i int, known stemmer) []form {
	var out []form
	if i > 0 {
		out = append(out, x.form(known.stem(all[i-1]+all[i]), joinedWeight)...)
	}
	if i+1 < len(all) {
		out = append(out, x.form(known.stem(all[i]+all[i+1]), joinedWeight)...)
	}
	return out
}

// phrases returns the phrases in double quotes that have more than one word.
func (x *index) phrases(text string) [][]uint32 {
	var out [][]uint32
	for i, quoted := range strings.Split(text, `"`) {
		if i%2 == 0 {
			continue
		}
		var terms []uint32
		known := true
		eachWord(quoted, func(w string) {
			if stopWords()[w] {
				return
			}
			term, ok := x.terms[stem(w)]
			known = known && ok
			terms = append(terms, term)
		})
		if known && len(terms) > 1 {
			out = append(out, terms)
		}
	}
	return out
}

// identifiers returns the words of a text that look like program identifiers: read_file, readFile.
func identifiers(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./:", r)
	}) {
		w = strings.Trim(w, "_-./:")
		parts := 0
		eachWord(w, func(string) { parts++ })
		if parts > 1 {
			out = append(out, w)
		}
	}
	return out
}
