package catalog

import (
	"strings"
	"sync"
	"sync/atomic"
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
	order   []uint32            // the entries by key
	places  []uint32            // by entry: its place in that order
	added   []uint32            // entries that are not yet in it

	lexicon   map[string]word // by the word as written
	terms     map[string]uint32
	lists     []list       // by term
	spellings [][]spelling // the written words, by length
	empty     int          // how many lists have become empty
	sorted    []sortedTerm // the stems, by their text
	mirror    []sortedTerm // the same, by their reversed text
	fresh     []sortedTerm // stems that are not yet in those two

	kept      *keptScopes
	scratches *sync.Pool // of *scoreBuffer
}

// A word is the terms of a written word.
type word struct{ stem, written uint32 }

// A sortedTerm is a term with its text, which a search in a sorted list reads.
type sortedTerm struct {
	text string
	term uint32
}

// A list is the tools that have a term, in any order.
type list struct {
	text    string
	entries []uint32
	places  []place // of all entries, in the same order

	weights atomic.Pointer[[]float32] // by place in entries, among all tools; nil after a change, see weightsOf
}

// A place is how often a tool has a term in one of its fields.
type place struct {
	field field
	count uint8
	last  bool // the next place is of the next tool
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
		terms: map[string]uint32{}, kept: &keptScopes{}, scratches: &sync.Pool{}}
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
	x.added = append(x.added, n)
	name := strings.ToLower(t.Name)
	x.names[name] = append(x.names[name], n)
	total := 0
	for _, written := range text {
		total += len(written)
	}
	words := make([]word, total) // of all fields: a search reads them one after the other
	for f, written := range text {
		x.lengths[f] += len(written)
		e.words[f], words = words[:len(written):len(written)], words[len(written):]
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
		w = word{stem: x.stemTerm(stem(written)), written: x.writtenTerm(written)}
		x.lexicon[written] = w
	}
	return w
}

// writtenMark begins the text of the term for a word as written, which no stem has.
const writtenMark = "="

func asWritten(word string) string { return writtenMark + word }

func (x *index) writtenTerm(word string) uint32 {
	term := x.newTerm(asWritten(word))
	x.addSpelling(word, term)
	return term
}

func (x *index) stemTerm(stem string) uint32 {
	term, ok := x.terms[stem]
	if !ok {
		term = x.newTerm(stem)
		x.fresh = append(x.fresh, sortedTerm{stem, term})
	}
	return term
}

func (x *index) newTerm(text string) uint32 {
	term := uint32(len(x.lists))
	x.lists = append(x.lists, list{text: text})
	x.terms[text] = term
	x.empty++
	return term
}

// count adds one occurrence of a term to the entry. The entry that is being inserted is always the last of a list.
func (x *index) count(term, n uint32, f field) {
	l := &x.lists[term]
	if len(l.entries) == 0 {
		x.empty--
	}
	if last := len(l.entries) - 1; last < 0 || l.entries[last] != n {
		l.entries = append(l.entries, n)
	} else if p := &l.places[len(l.places)-1]; p.field != f {
		p.last = false
	} else {
		if p.count < 255 {
			p.count++
		}
		return
	}
	l.places = append(l.places, place{field: f, count: 1, last: true})
}
