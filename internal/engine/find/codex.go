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
	tools   int
	lengths []float64
	average float64
	words   map[string][]posting
}

// A posting is the number of occurrences of a word in the text of a tool.
type posting struct {
	tool  int
	count float64
}

func newCodex(tools []Tool) Search {
	s := &codexSearch{tools: len(tools), words: map[string][]posting{}}
	total := 0.0
	for i, tool := range tools {
		counts := map[string]float64{}
		words := codexWords(codexText(tool))
		for _, word := range words {
			counts[word]++
		}
		for word, count := range counts {
			s.words[word] = append(s.words[word], posting{i, count})
		}
		s.lengths = append(s.lengths, float64(len(words)))
		total += float64(len(words))
	}
	s.average = total / float64(max(1, len(tools)))
	return s
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
	scores := map[int]float64{}
	for _, word := range codexWords(query) {
		list := s.words[word]
		n := float64(len(list))
		idf := math.Log(1 + (float64(s.tools)-n+0.5)/(n+0.5))
		for _, p := range list {
			scores[p.tool] += idf * p.count * (codexK1 + 1) / (p.count + codexK1*(1-codexB+codexB*s.lengths[p.tool]/s.average))
		}
	}
	hits := make([]Hit, 0, len(scores))
	for tool, score := range scores {
		hits = append(hits, Hit{tool, score})
	}
	return sorted(hits, cmp.Compare[int])
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
