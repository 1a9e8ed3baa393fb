package find

import (
	"slices"
	"strings"
	"unicode"
)

// maxPairs limits the queries that are made from tools: each of them is compared with each tool.
const maxPairs = 10_000_000

// OwnQueries returns queries made from each tool: its name as words, its title, the first sentence of its description,
// and the verb and object of that. unasked is the number of tools for which it makes none because there are too many.
func OwnQueries(tools []Tool) (queries []Query, unasked int) {
	for i, t := range tools {
		if (len(queries)+maxOwn)*len(tools) > maxPairs {
			return queries, len(tools) - i
		}
		for _, text := range ownTexts(t) {
			queries = append(queries, Query{Text: text, Tools: []int{i}, Own: true})
		}
	}
	return queries, 0
}

// maxOwn is the maximum number of queries that are made from a tool.
const maxOwn = 4

// ownTexts returns different texts for which a search should return a tool.
func ownTexts(t Tool) []string {
	sentence := firstSentence(t.Description)
	var texts []string
	for _, text := range [maxOwn]string{NameWords(t.Name), t.Title, sentence, verbAndObject(sentence)} {
		if text = strings.TrimSpace(text); text != "" &&
			!slices.ContainsFunc(texts, func(s string) bool { return strings.EqualFold(s, text) }) {
			texts = append(texts, text)
		}
	}
	return texts
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

// maxObject is the number of words of an object.
const maxObject = 3

// verbAndObject returns the first word of a sentence and the words after it up to a preposition or the like: "Get the
// price of an order" becomes "get price". It returns nothing for a sentence that does not begin with a verb, as far as
// that can be seen from stop words.
func verbAndObject(sentence string) string {
	var words []string
	for _, field := range strings.Fields(strings.ToLower(sentence)) {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word == "" || stopWords[word] {
			if len(words) == 1 { // between verb and object
				continue
			}
			break
		}
		if words = append(words, word); len(words) > maxObject || len(words) > 1 && !strings.HasSuffix(field, word) {
			break
		}
	}
	if len(words) < 2 { // no object
		return ""
	}
	return strings.Join(words, " ")
}
