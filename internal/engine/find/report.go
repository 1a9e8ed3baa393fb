package find

import (
	"slices"
	"strings"
	"unicode"
)

// A Query is a search with the tools that it should return.
type Query struct {
	Text  string
	Tools []int // indexes of the expected tools; none if unknown
	Own   bool  // made from the words of the tool
}

// A QueryResult is what one engine returns for a query.
type QueryResult struct {
	Rank int   // the best rank of an expected tool, from 1 on; 0 if none is returned
	Top  []int // the first tools
}

// A Report is what each engine returns for each query.
type Report struct {
	Queries []Query
	Answers [][]QueryResult // by query and engine
	Lost    [][]int         // by engine: tools that it returns for none of their own queries
	Shadows [][]Shadow      // by engine
}

// A Shadow is a tool that a search ranks first for the name of another tool, which is not among the results.
type Shadow struct{ Tool, By int }

// Run ranks the tools for each query with each engine.
func Run(engines []Engine, tools []Tool, queries []Query) *Report {
	r := &Report{Queries: queries, Answers: make([][]QueryResult, len(queries))}
	for _, engine := range engines {
		search := engine.New(tools)
		found := map[int]bool{}
		var shadows []Shadow
		for i, q := range queries {
			a := newQueryResult(search.Rank(q.Text), q, engine.Limit)
			r.Answers[i] = append(r.Answers[i], a)
			if !q.Own {
				continue
			}
			tool := q.Tools[0]
			within := a.Rank > 0 && a.Rank <= engine.Limit
			found[tool] = found[tool] || within
			if shadow := (Shadow{tool, -1}); !within && len(a.Top) > 0 {
				shadow.By = a.Top[0]
				if !slices.Contains(shadows, shadow) {
					shadows = append(shadows, shadow)
				}
			}
		}
		var lost []int
		for _, q := range queries {
			if q.Own && !found[q.Tools[0]] && !slices.Contains(lost, q.Tools[0]) {
				lost = append(lost, q.Tools[0])
			}
		}
		r.Lost, r.Shadows = append(r.Lost, lost), append(r.Shadows, shadows)
	}
	return r
}

func newQueryResult(hits []Hit, q Query, limit int) QueryResult {
	var a QueryResult
	for _, h := range hits[:min(len(hits), limit)] {
		a.Top = append(a.Top, h.Tool)
	}
	for _, tool := range q.Tools {
		if rank := RankOf(hits, tool); rank > 0 && (a.Rank == 0 || rank < a.Rank) {
			a.Rank = rank
		}
	}
	return a
}

// OwnQueries returns queries made from each tool: its name as words, its title and the first sentence of its
// description.
func OwnQueries(tools []Tool) []Query {
	var queries []Query
	for i, t := range tools {
		var texts []string
		for _, text := range []string{NameWords(t.Name), t.Title, firstSentence(t.Description)} {
			if text = strings.TrimSpace(text); text != "" &&
				!slices.ContainsFunc(texts, func(s string) bool { return strings.EqualFold(s, text) }) {
				texts = append(texts, text)
				queries = append(queries, Query{Text: text, Tools: []int{i}, Own: true})
			}
		}
	}
	return queries
}

// NameWords returns the words of an identifier: getUser_data becomes "get user data".
func NameWords(name string) string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// maxSentence is the number of words of a query that is made from a description.
const maxSentence = 12

func firstSentence(text string) string {
	text = strings.TrimSpace(text)
	for i, r := range text {
		if r == '\n' || (r == '.' || r == '!' || r == '?') &&
			(i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			text = text[:i]
			break
		}
	}
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), maxSentence)], " ")
}
