package change

import (
	"slices"
	"strings"
	"unicode"
)

// normalName is a name without spelling: case and separators do not count.
func normalName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// A match is a candidate for a rename.
type match struct {
	from, to string
	score    float64
}

// best selects the matches with the highest scores, each name once.
func best(matches []match) map[string]string {
	slices.SortStableFunc(matches, func(a, b match) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return strings.Compare(a.from+a.to, b.from+b.to)
	})
	chosen := map[string]string{}
	taken := map[string]bool{}
	for _, m := range matches {
		if chosen[m.from] == "" && !taken[m.to] {
			chosen[m.from], taken[m.to] = m.to, true
		}
	}
	return chosen
}

// maxRenames limits the pairs that are compared.
const maxRenames = 40_000

// matchTools pairs removed tools with added ones: the name differs only in spelling, or the schema is the same and
// name or description are similar.
func matchTools(removed, added []string, old, now map[string]map[string]any) map[string]string {
	if len(removed)*len(added) > maxRenames {
		return nil
	}
	var matches []match
	for _, from := range removed {
		for _, to := range added {
			if score := toolSimilarity(from, to, old[from], now[to]); score > 0 {
				matches = append(matches, match{from, to, score})
			}
		}
	}
	return best(matches)
}

func toolSimilarity(from, to string, was, is map[string]any) float64 {
	name := similarity(nameWords(from), nameWords(to))
	text := similarity(words(textOf(was["description"])), words(textOf(is["description"])))
	shape := similarity(parameterWords(was), parameterWords(is))
	switch {
	case normalName(from) == normalName(to):
		return 3 + text
	case shape == 1 && len(parameterWords(was)) > 0 && (name >= 0.5 || text >= 0.5):
		return 1 + name + text
	case text >= 0.8 && (name >= 0.3 || shape >= 0.5) && len(words(textOf(was["description"]))) >= 4:
		return name + text
	}
	return 0
}

// parameterWords describe the parameters of a tool by name and type.
func parameterWords(tool map[string]any) []string {
	input := viewOf(tool["inputSchema"], tool["inputSchema"])
	var all []string
	for name, property := range input.properties() {
		all = append(all, name+":"+typesOf(input.child(property).in))
	}
	return all
}

// matchProperties pairs removed properties with added ones of the same type.
func matchProperties(was, is view) map[string]string {
	old, now := was.properties(), is.properties()
	removed := slices.DeleteFunc(sortedKeys(old), func(name string) bool { _, ok := now[name]; return ok })
	added := slices.DeleteFunc(sortedKeys(now), func(name string) bool { _, ok := old[name]; return ok })
	if len(removed)*len(added) > maxRenames {
		return nil
	}
	var matches []match
	for _, from := range removed {
		for _, to := range added {
			before, after := was.child(old[from]), is.child(now[to])
			if typesOf(before.in) != typesOf(after.in) {
				continue
			}
			name := similarity(nameWords(from), nameWords(to))
			if normalName(from) == normalName(to) {
				name = 2
			}
			text := similarity(words(textOf(before.in["description"])), words(textOf(after.in["description"])))
			alike := was.requires(from) == is.requires(to)
			sole := len(removed) == 1 && len(added) == 1 && was.requires(from) && alike
			if name >= 1 || text >= 0.5 || name >= 0.5 && alike || sole || name > 0 && text >= 0.25 {
				matches = append(matches, match{from, to, name + text})
			}
		}
	}
	return best(matches)
}

// similarity is the share of common words.
func similarity(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	inA, all := map[string]bool{}, map[string]bool{}
	for _, word := range a {
		inA[word], all[word] = true, true
	}
	common := map[string]bool{}
	for _, word := range b {
		if inA[word] {
			common[word] = true
		}
		all[word] = true
	}
	return float64(len(common)) / float64(len(all))
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// nameWords splits an identifier at separators and capitals.
func nameWords(name string) []string {
	var out strings.Builder
	previous := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(previous) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		previous = r
	}
	return words(out.String())
}
