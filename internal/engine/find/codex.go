package find

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// Parameters of the BM25 ranking of Codex.
const (
	codexK1 = 1.2
	codexB  = 0.75
)

// A codexSearch is the tool_search of Codex: BM25 over one text per tool. An identifier such as get_user is one word.
type codexSearch struct {
	tools   []Tool
	lengths []float64
	total   float64 // of the lengths
	words   map[string][]posting
	queries map[string][]string // the words of each query so far
}

// A posting is the number of occurrences of a word in the text of a tool.
type posting struct {
	tool  int
	count float64
}

func newCodex(tools []Tool) Search {
	s := &codexSearch{tools: slices.Clone(tools), lengths: make([]float64, len(tools)), words: map[string][]posting{},
		queries: map[string][]string{}}
	for i := range tools {
		s.add(i)
	}
	return s
}

func (s *codexSearch) add(tool int) {
	words := codexWords(codexText(s.tools[tool]))
	s.lengths[tool] = float64(len(words))
	s.total += float64(len(words))
	counts := map[string]float64{}
	for _, word := range words {
		counts[word]++
	}
	for word, count := range counts {
		s.words[word] = append(s.words[word], posting{tool, count})
	}
}

// describe changes the description of a tool.
func (s *codexSearch) describe(tool int, description string) {
	s.total -= s.lengths[tool]
	for _, word := range codexWords(codexText(s.tools[tool])) {
		s.words[word] = slices.DeleteFunc(s.words[word], func(p posting) bool { return p.tool == tool })
	}
	s.tools[tool].Description = description
	s.add(tool)
}

// codexText is the text of a tool that Codex indexes. Descriptions of properties are not part of it.
func codexText(t Tool) string {
	namespace, name := hosts.CodexFullName(t.Server, t.Name)
	parts := []string{namespace + "__" + name, name, t.Name, t.Server, t.Title, t.Description, t.Instructions}
	properties := slices.Clone(t.Properties)
	slices.Sort(properties)
	parts = append(parts, properties...)
	parts = slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
	return strings.Join(parts, " ")
}

func (s *codexSearch) Rank(query string) []Hit {
	return slices.SortedFunc(slices.Values(s.hits(query)), s.compare)
}

// compare orders hits by score, then as the server listed the tools.
func (s *codexSearch) compare(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Tool, b.Tool))
}

func (s *codexSearch) hits(query string) []Hit {
	words, ok := s.queries[query]
	if !ok {
		words = codexWords(query)
		s.queries[query] = words
	}
	average := s.total / float64(max(1, len(s.tools)))
	scores := make([]float64, len(s.tools))
	var hits []Hit
	for _, word := range words {
		list := s.words[word]
		n := float64(len(list))
		idf := math.Log(1 + (float64(len(s.tools))-n+0.5)/(n+0.5))
		for _, p := range list {
			if scores[p.tool] == 0 {
				hits = append(hits, Hit{Tool: p.tool})
			}
			scores[p.tool] += idf * p.count * (codexK1 + 1) / (p.count +
				codexK1*(1-codexB+codexB*s.lengths[p.tool]/average))
		}
	}
	for i := range hits {
		hits[i].Score = scores[hits[i].Tool]
	}
	return hits
}

// codexWords splits a text into words as Unicode does, without stop words, and reduces them to their stem.
func codexWords(text string) []string {
	var words []string
	for _, word := range unicodeWords(strings.ToLower(toASCII(text))) {
		if !stopWords[word] {
			words = append(words, english.Stem(word, true))
		}
	}
	return words
}
