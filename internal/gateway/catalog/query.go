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
	exact  bool // the first form is the stem of the word, and not another word that contains it
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
	roots := make([]string, len(all))
	for i, w := range all {
		roots[i] = x.stemOf(w)
	}
	joined := x.joined(all)
	words, stems, had := make(map[string]bool, len(all)), make(map[string]bool, len(all)), map[string]bool{}
	for i, w := range all {
		if words[w] {
			continue
		}
		n := len(q.words)
		q.words, words[w] = append(q.words, w), true
		weight := wordWeight(w)
		if root := roots[i]; !stems[root] {
			stems[root] = true
			forms := slices.Concat(x.relatedTerms(w, root), x.abbreviated(root), joined[i], joined[i+1])
			_, exact := x.terms[root]
			q.parts = append(q.parts, part{word: n, weight: weight, forms: forms, exact: exact})
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
		first, has := x.terms[roots[i-1]]
		second, both := x.terms[roots[i]]
		if has && both {
			q.pairs = append(q.pairs, pair{first, second})
		}
	}
	q.phrases = x.phrases(text)
	return q
}

// stemOf returns the stem of a word. That of a word which some tool has is known.
func (x *index) stemOf(written string) string {
	if known, ok := x.lexicon[written]; ok {
		return x.lists[known.stem].text
	}
	return stem(written)
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
		func(t sortedTerm, s string) int { return strings.Compare(t.text, s) })
	for _, t := range x.sorted[first:] {
		if !strings.HasPrefix(t.text, stem) {
			break
		}
		if t.text != stem {
			out = append(out, form{term: t.term, weight: affixWeight})
		}
	}
	first, _ = slices.BinarySearchFunc(x.mirror, word,
		func(t sortedTerm, s string) int { return compareBackwards(t.text, s) })
	for _, t := range x.mirror[first:] {
		if !strings.HasSuffix(t.text, word) {
			break
		}
		if len(t.text) >= len(word)+minRest {
			out = append(out, form{term: t.term, weight: affixWeight, named: true})
		}
	}
	return out
}

// joined returns the terms formed by each word and the one before it. No word is before the first, or after the last.
func (x *index) joined(all []string) [][]form {
	out := make([][]form, len(all)+1)
	for i := 1; i < len(all); i++ {
		out[i] = x.form(x.stemOf(all[i-1]+all[i]), joinedWeight)
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
