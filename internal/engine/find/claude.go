package find

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// Limits of the search of Claude Code.
const (
	claudeMaxWords       = 32
	claudeMaxDescription = 4096
)

// A claudeSearch is the ToolSearch of Claude Code: it has no index and adds up points per word of the query. Words are
// split at white space only, there are no stop words and no stems, and parameters do not count.
type claudeSearch struct {
	tools []claudeTool
	order []int // position of each tool by name
	cache map[string][]float64
}

// A claudeTool is a tool in lower case.
type claudeTool struct {
	parts       []string // of the names of server and tool
	wholes      []string // names of server and tool
	joined      string
	full        string // name with the prefix mcp__
	description string
}

func newClaude(tools []Tool) Search {
	s := &claudeSearch{cache: map[string][]float64{}, order: make([]int, len(tools))}
	byName := make([]int, len(tools))
	for i, t := range tools {
		server, name := strings.ToLower(t.Server), strings.ToLower(t.Name)
		c := claudeTool{wholes: []string{server, name}, full: "mcp__" + server + "__" + name}
		for _, whole := range c.wholes {
			c.parts = append(c.parts, strings.FieldsFunc(whole,
				func(r rune) bool { return r == '_' || r == '.' || r == ' ' })...)
		}
		c.joined = strings.Join(c.parts, " ")
		c.describe(t.Description)
		s.tools = append(s.tools, c)
		byName[i] = i
	}
	collator := collate.New(language.English)
	slices.SortStableFunc(byName, func(a, b int) int { return collator.CompareString(tools[a].Name, tools[b].Name) })
	for position, tool := range byName {
		s.order[tool] = position
	}
	return s
}

func (t *claudeTool) describe(description string) {
	characters := []rune(description)
	t.description = strings.ToLower(string(characters[:min(len(characters), claudeMaxDescription)]))
}

// describe changes the description of a tool.
func (s *claudeSearch) describe(tool int, description string) {
	s.tools[tool].describe(description)
	for word, points := range s.cache {
		points[tool] = s.tools[tool].points(word)
	}
}

func (s *claudeSearch) Rank(query string) []Hit {
	return slices.SortedFunc(slices.Values(s.hits(query)), s.compare)
}

// compare orders hits by score, then by name.
func (s *claudeSearch) compare(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(s.order[a.Tool], s.order[b.Tool]))
}

func (s *claudeSearch) hits(query string) []Hit {
	query = strings.ToLower(strings.TrimSpace(query))
	for i, t := range s.tools {
		if query == t.wholes[1] || query == t.full {
			return []Hit{{i, 1}}
		}
	}
	words := strings.Fields(query)
	words = words[:min(len(words), claudeMaxWords)]
	scores := make([]float64, len(s.tools))
	excluded := make([]bool, len(s.tools))
	for _, word := range words {
		required := len(word) > 1 && word[0] == '+'
		for i, points := range s.points(strings.TrimPrefix(word, "+")) {
			scores[i] += points
			excluded[i] = excluded[i] || required && points == 0
		}
	}
	var hits []Hit
	for i, score := range scores {
		if score > 0 && !excluded[i] {
			hits = append(hits, Hit{i, score})
		}
	}
	return hits
}

// points returns the points of a word for each tool.
func (s *claudeSearch) points(word string) []float64 {
	if known, ok := s.cache[word]; ok {
		return known
	}
	points := make([]float64, len(s.tools))
	for i := range s.tools {
		points[i] = s.tools[i].points(word)
	}
	s.cache[word] = points
	return points
}

func (t *claudeTool) points(word string) float64 {
	points := 0.0
	contains := func(text string) bool { return strings.Contains(text, word) }
	switch {
	case slices.Contains(t.parts, word):
		points += 12
	case slices.ContainsFunc(t.parts, contains):
		points += 6
	}
	switch {
	case slices.Contains(t.wholes, word):
		points += 12
	case slices.ContainsFunc(t.wholes, contains):
		points += 4
	}
	if hasWord(t.description, word) {
		points += 2
	}
	if points == 0 && contains(t.joined) {
		points += 3
	}
	return points
}

// hasWord reports whether a text contains a word between word boundaries, as \b in a regular expression of JavaScript.
func hasWord(text, word string) bool {
	for from := 0; from <= len(text); {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		if boundary(text, i) && boundary(text, i+len(word)) {
			return true
		}
		from = i + 1
	}
	return false
}

func boundary(text string, i int) bool {
	return (i > 0 && isWordByte(text[i-1])) != (i < len(text) && isWordByte(text[i]))
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}
