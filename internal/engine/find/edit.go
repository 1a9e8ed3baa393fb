package find

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
)

// An Edit adds words to a description, after which searches return the tool for queries that missed it.
type Edit struct {
	Tool        int
	Queries     []string // that return the tool now
	Added       []string // words
	Description string   // the new one
}

// An editable is a search in which descriptions can be changed.
type editable interface {
	hits(query string) []Hit // in any order
	compare(a, b Hit) int
	describe(tool int, description string)
}

// maxWork limits the verification of edits: tools times queries, for each verified edit.
const maxWork = 10_000_000

// editFirst is where an edited tool should be ranked if possible: hosts differ in how many results they return.
const editFirst = 5

// Edits returns the words to add to descriptions for queries that miss their tools. It omits words that are not needed.
// Each edit was verified together with those before it: the query returns the tool, and no other query loses an
// expected tool. untried counts the misses that were not looked at because the limits were reached.
func Edits(ctx context.Context, engines []Engine, tools []Tool, queries []Query, most int) (edits []Edit, untried int) {
	e := newEditor(engines, tools, queries)
	for i, q := range queries {
		if ctx.Err() != nil {
			break
		}
		for _, tool := range q.Tools {
			missed := e.missed(q.Text, tool)
			switch {
			case len(missed) == 0:
			case e.work <= 0 || len(e.edits) == most && e.edits[tool] == nil:
				untried++
			default:
				e.fix(i, tool, missed)
			}
		}
	}
	for tool := range tools {
		if edit := e.edits[tool]; edit != nil {
			edit.Description = e.description(tool, edit.Added)
			edits = append(edits, *edit)
		}
	}
	return edits, untried
}

// An editor changes descriptions in searches and observes what happens to the queries.
type editor struct {
	engines  []Engine
	searches []editable
	tools    []Tool
	lower    []string // the descriptions in lower case
	queries  []Query
	found    [][]recall // by query and search
	edits    map[int]*Edit
	work     int
}

// A recall counts the expected tools among the results of a query.
type recall struct{ first, all int }

func newEditor(engines []Engine, tools []Tool, queries []Query) *editor {
	e := &editor{tools: tools, queries: queries, edits: map[int]*Edit{}, work: maxWork}
	for _, engine := range engines {
		if search, ok := engine.New(tools).(editable); ok {
			e.engines, e.searches = append(e.engines, engine), append(e.searches, search)
		}
	}
	for _, t := range tools {
		e.lower = append(e.lower, strings.ToLower(t.Description))
	}
	e.found = e.recalls()
	return e
}

func (e *editor) recalls() [][]recall {
	e.work -= len(e.tools) * len(e.queries)
	found := make([][]recall, len(e.queries))
	for i, q := range e.queries {
		found[i] = make([]recall, len(e.searches))
		for s, search := range e.searches {
			for _, rank := range ranks(search, q.Text, q.Tools...) {
				if rank > 0 && rank <= editFirst {
					found[i][s].first++
				}
				if rank > 0 && rank <= e.engines[s].Limit {
					found[i][s].all++
				}
			}
		}
	}
	return found
}

// ranks returns the rank of each tool for a query, 0 if it is not returned. It does not sort all hits.
func ranks(search editable, query string, tools ...int) []int {
	hits := search.hits(query)
	ranks := make([]int, len(tools))
	for i, tool := range tools {
		at := slices.IndexFunc(hits, func(h Hit) bool { return h.Tool == tool })
		if at < 0 {
			continue
		}
		for _, h := range hits {
			if search.compare(h, hits[at]) <= 0 {
				ranks[i]++
			}
		}
	}
	return ranks
}

// missed lists the searches that do not return a tool for a query.
func (e *editor) missed(query string, tool int) []int {
	return e.outside(query, tool, math.MaxInt)
}

// outside lists the searches that do not return a tool for a query among the first.
func (e *editor) outside(query string, tool, first int) (searches []int) {
	for s, search := range e.searches {
		if rank := ranks(search, query, tool)[0]; rank == 0 || rank > min(first, e.engines[s].Limit) {
			searches = append(searches, s)
		}
	}
	return searches
}

func (e *editor) description(tool int, words []string) string {
	text := strings.TrimSpace(e.tools[tool].Description)
	if len(words) == 0 {
		return text
	}
	return strings.TrimSpace(text + " Keywords: " + strings.Join(words, ", ") + ".")
}

// describe changes the description of a tool in all searches.
func (e *editor) describe(tool int, added []string) {
	for _, search := range e.searches {
		search.describe(tool, e.description(tool, added))
	}
}

// fix tries to edit the description of a tool so that a query returns it, among the first if possible.
func (e *editor) fix(query, tool int, missed []int) {
	edit := e.edits[tool]
	if edit == nil {
		edit = &Edit{Tool: tool}
	}
	text := e.queries[query].Text
	for _, first := range []int{editFirst, math.MaxInt} {
		for _, words := range e.candidates(text, tool, edit.Added) {
			added := e.fewest(text, tool, first, missed, edit.Added, words)
			if added == nil {
				continue
			}
			e.describe(tool, added)
			if found := e.recalls(); !worse(e.found, found) {
				e.found = found
				edit.Added, edit.Queries = added, append(edit.Queries, text)
				e.edits[tool] = edit
				return
			}
		}
	}
	e.describe(tool, edit.Added)
}

// fewest returns the words to add so that as many searches as possible return the tool: words without those that are
// not needed. It returns nil if they do not help.
func (e *editor) fewest(query string, tool, first int, missed []int, before, words []string) []string {
	fixed := e.fixes(query, tool, first, missed, slices.Concat(before, words))
	if len(fixed) == 0 {
		return nil
	}
	// Words that are in many tools help least, so they are omitted first.
	for _, word := range e.byFrequency(words) {
		fewer := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == word })
		if len(e.fixes(query, tool, first, fixed, slices.Concat(before, fewer))) == len(fixed) {
			words = fewer
		}
	}
	return slices.Concat(before, words)
}

// fixes lists the searches that return a tool for a query once words are added to its description.
func (e *editor) fixes(query string, tool, first int, missed []int, added []string) []int {
	e.describe(tool, added)
	e.work -= len(e.tools)
	outside := e.outside(query, tool, first)
	return slices.DeleteFunc(slices.Clone(missed), func(s int) bool { return slices.Contains(outside, s) })
}

// byFrequency sorts words by the number of descriptions that contain them, most first.
func (e *editor) byFrequency(words []string) []string {
	count := map[string]int{}
	for _, word := range words {
		for _, text := range e.lower {
			if strings.Contains(text, word) {
				count[word]++
			}
		}
	}
	return slices.SortedStableFunc(slices.Values(words), func(a, b string) int { return count[b] - count[a] })
}

// candidates returns first the words of a query that the description lacks, then all of them.
func (e *editor) candidates(query string, tool int, added []string) [][]string {
	description := strings.ToLower(e.description(tool, added))
	var missing, all []string
	for _, word := range keywords(query) {
		if slices.Contains(all, word) {
			continue
		}
		all = append(all, word)
		if !hasWord(description, word) {
			missing = append(missing, word)
		}
	}
	switch {
	case len(all) == 0:
		return nil
	case len(missing) == 0 || len(missing) == len(all):
		return [][]string{all}
	}
	return [][]string{missing, all}
}

// keywords returns the words of a query that may be part of a description: not stop words, and not values such as
// numbers, paths, addresses, placeholders and quoted texts.
func keywords(query string) []string {
	var words []string
	for _, field := range strings.Fields(strings.ToLower(query)) {
		if strings.ContainsAny(field, `/\@<>{}="`) || strings.HasPrefix(field, "'") {
			continue
		}
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if stopWords[word] || !strings.ContainsFunc(word, unicode.IsLetter) {
			continue
		}
		words = append(words, word)
	}
	return words
}

// worse reports whether a query returns fewer expected tools than before.
func worse(before, after [][]recall) bool {
	for i := range before {
		for s := range before[i] {
			if after[i][s].first < before[i][s].first || after[i][s].all < before[i][s].all {
				return true
			}
		}
	}
	return false
}
