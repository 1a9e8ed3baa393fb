package catalog

import (
	"strings"
	"sync"
)

// An index finds the tools that contain a word. Each word is indexed twice: as written and as its stem, because
// "servers" asks for a list of them and "server" often for one. Tools are added and removed one at a time; the ranking
// statistics always reflect the current tools.
type index struct {
	entries []entry // by number; an entry without a tool is free
	free    []uint32
	own     int // how many entries are only in listings
	numbers map[*Tool]uint32
	names   map[string][]uint32 // by the name in lower case
	lengths [fields]int         // words in each field, of all tools
	factors []factors           // of all tools; see settle

	lexicon map[string]word // by the word as written
	terms   map[string]uint32
	lists   []list   // by term
	empty   int      // how many lists have become empty
	sorted  []uint32 // the terms of stems, by their text
	mirror  []uint32 // the same, by their reversed text
	fresh   []uint32 // terms that are not yet in those two

	scratches *sync.Pool // of *scratch
}

// A word is the terms of a written word.
type word struct{ stem, written uint32 }

// A list is the tools that have a term.
type list struct {
	text     string
	stem     bool
	letters  uint32 // which letters it has
	postings []posting
}

// A posting is how often a tool has a term in one of its fields. Those of one tool are adjacent.
type posting struct {
	entry uint32
	field field
	count uint8
}

// An entry is a tool in the index.
type entry struct {
	tool  *Tool
	own   bool           // it is only in listings
	words [fields][]word // without stop words

	vector []float32 // of its meaning; nil if it is unknown
}

func newIndex() *index {
	return &index{numbers: map[*Tool]uint32{}, names: map[string][]uint32{}, lexicon: map[string]word{},
		terms: map[string]uint32{}, scratches: &sync.Pool{}}
}

// add adds a tool. The index must be settled before the next search.
func (x *index) add(t *Tool) { x.insert(t, split(t)) }

// insertOwn adds a tool that is only in listings.
func (x *index) insertOwn(t *Tool) {
	x.insert(t, split(t))
	x.entries[x.numbers[t]].own = true
	x.own++
}

// split returns the words of a tool that count, by field. It needs no index, so many tools can be split in parallel.
func split(t *Tool) (out [fields][]string) {
	for f, parts := range texts(t) {
		size := 0
		for _, text := range parts {
			size += len(text)/wordSize + 1
		}
		out[f] = make([]string, 0, size)
		for _, text := range parts {
			eachWord(text, func(word string) {
				if !stopWords()[word] {
					out[f] = append(out[f], word)
				}
			})
		}
	}
	return out
}

// wordSize is the approximate number of letters per counted word, including the separator.
const wordSize = 8

func (x *index) insert(t *Tool, text [fields][]string) {
	n := x.number()
	e := &x.entries[n]
	e.tool = t
	x.numbers[t] = n
	name := strings.ToLower(t.Name)
	x.names[name] = append(x.names[name], n)
	for f, written := range text {
		x.lengths[f] += len(written)
		e.words[f] = make([]word, len(written))
		for i, w := range written {
			known := x.word(w)
			e.words[f][i] = known
			x.count(known.stem, n, field(f))
			x.count(known.written, n, field(f))
		}
	}
}

// number allocates a number for an entry.
func (x *index) number() uint32 {
	if last := len(x.free) - 1; last >= 0 {
		n := x.free[last]
		x.free = x.free[:last]
		return n
	}
	x.entries = append(x.entries, entry{})
	return uint32(len(x.entries) - 1)
}

// word returns the terms of a written word.
func (x *index) word(written string) word {
	w, ok := x.lexicon[written]
	if !ok {
		w = word{stem: x.term(stem(written), true), written: x.term(asWritten(written), false)}
		x.lexicon[written] = w
	}
	return w
}

// asWritten is the text of the term for a word as written, which no stem has.
func asWritten(word string) string { return "=" + word }

func (x *index) term(text string, stem bool) uint32 {
	term, ok := x.terms[text]
	if !ok {
		term = uint32(len(x.lists))
		x.lists = append(x.lists, list{text: text, stem: stem, letters: letters(text)})
		x.terms[text] = term
		x.empty++
		if stem {
			x.fresh = append(x.fresh, term)
		}
	}
	return term
}

// count adds one occurrence of a term to the entry. The entry that is being inserted is always the last of a list.
func (x *index) count(term, n uint32, f field) {
	l := &x.lists[term]
	if len(l.postings) == 0 {
		x.empty--
	}
	if last := len(l.postings) - 1; last >= 0 && l.postings[last].entry == n && l.postings[last].field == f {
		if l.postings[last].count < 255 {
			l.postings[last].count++
		}
		return
	}
	l.postings = append(l.postings, posting{entry: n, field: f, count: 1})
}
