package schema

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// matching generates a string of a given length range that matches a pattern. The result is matched before it
// is returned.
func (m *sampler) matching(pattern string, least, most int) (string, error) {
	engine := patternEngine{timer: &matchBudgetTimer{}, sealed: true}
	re, err := engine.compile(pattern)
	if err != nil {
		return "", err
	}
	tree, err := syntax.Parse(unicodeEscapes(withoutLookaround(pattern)), syntax.Perl)
	if err != nil {
		return "", fmt.Errorf("no string found that matches %s", clip.Text(pattern, 80))
	}
	for _, extra := range repetitions(least) {
		var out strings.Builder
		w := writer{out: &out, extra: extra, sampler: m}
		if !w.write(tree) {
			continue
		}
		for _, text := range []string{realTime(out.String()), out.String(), padded(out.String(), least)} {
			if length(text, least, most) && re.MatchString(text) {
				return text, nil
			}
		}
	}
	return "", fmt.Errorf("no string found that matches %s", clip.Text(pattern, 80))
}

// OtherMatches generates up to count strings of a given length range that match a pattern, each with other characters and
// repetitions than the string of a sample: where samples use a known ID, these are unknown ones. Shorter ones come first.
func OtherMatches(pattern string, least, most, count int) []string {
	engine := patternEngine{timer: &matchBudgetTimer{}, sealed: true}
	re, err := engine.compile(pattern)
	if err != nil {
		return nil
	}
	tree, err := syntax.Parse(unicodeEscapes(withoutLookaround(pattern)), syntax.Perl)
	if err != nil {
		return nil
	}
	var all []string
	for turn := 1; turn <= otherTurns && len(all) < count; turn++ {
		var out strings.Builder
		w := writer{out: &out, extra: turn * turn, turn: turn, sampler: &sampler{try: turn}}
		if text := ""; w.write(tree) {
			text = out.String()
			if length(text, least, most) && re.MatchString(text) && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// otherTurns is how many other strings are tried.
const otherTurns = 12

// repetitions lists how many additional repetitions to try, so that some string gets the required length.
func repetitions(least int) []int {
	var list []int
	for i := range 48 {
		list = append(list, i)
	}
	for i := max(48, least-8); i <= least; i++ {
		list = append(list, i)
	}
	return list
}

func padded(text string, least int) string {
	if len(text) >= least {
		return text
	}
	return text + strings.Repeat("x", least-len(text))
}

// withoutLookaround drops lookahead and lookbehind groups, which RE2 cannot parse. The result still has to match.
func withoutLookaround(pattern string) string {
	for _, open := range []string{"(?!", "(?=", "(?<!", "(?<="} {
		for {
			start := strings.Index(pattern, open)
			if start < 0 {
				break
			}
			end := closing(pattern, start)
			if end < 0 {
				return pattern
			}
			pattern = pattern[:start] + pattern[end:]
		}
	}
	return pattern
}

// closing returns the offset after the parenthesis that closes the one at start.
func closing(pattern string, start int) int {
	depth, inClass := 0, false
	for i := start; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// A writer generates text for a parsed pattern. Each open repetition runs extra times more than required.
type writer struct {
	out     *strings.Builder
	extra   int
	turn    int // above 0: other characters than those of a sample
	sampler *sampler
}

// write returns false if nothing matches, or if the text would become too long.
func (w *writer) write(tree *syntax.Regexp) bool {
	if w.out.Len() > 1<<16 {
		return false
	}
	switch tree.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		for _, r := range tree.Rune {
			w.out.WriteRune(r)
		}
	case syntax.OpCharClass:
		return w.writeClass(tree.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.out.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range tree.Sub {
			if !w.write(sub) {
				return false
			}
		}
	case syntax.OpAlternate:
		return w.write(tree.Sub[w.sampler.try%len(tree.Sub)])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return w.repeat(tree)
	}
	return true
}

func (w *writer) repeat(tree *syntax.Regexp) bool {
	least, most := tree.Min, tree.Max
	switch tree.Op {
	case syntax.OpStar:
		least, most = 0, -1
	case syntax.OpPlus:
		least, most = 1, -1
	case syntax.OpQuest:
		least, most = 0, 1
	}
	count := least + w.extra
	if most >= 0 {
		count = min(count, most)
	}
	for range count {
		if !w.write(tree.Sub[0]) {
			return false
		}
	}
	return true
}

// writeClass prefers a letter or digit that a user would type.
func (w *writer) writeClass(ranges []rune) bool {
	if len(ranges) == 0 {
		return false
	}
	liked := "a1A0bB_-"
	if w.turn > 0 {
		at := (w.turn*7 + w.out.Len()*5) % len(unlikely)
		liked = unlikely[at:] + unlikely[:at] + liked
	}
	for _, r := range liked {
		if inClass(ranges, r) {
			w.out.WriteRune(r)
			return true
		}
	}
	for r := rune(' '); r < unicode.MaxASCII; r++ {
		if inClass(ranges, r) {
			w.out.WriteRune(r)
			return true
		}
	}
	w.out.WriteRune(ranges[0])
	return true
}

// unlikely are letters and digits with which names and IDs rarely begin.
const unlikely = "9q7z8x4w6vQZKX"

func inClass(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if r >= ranges[i] && r <= ranges[i+1] {
			return true
		}
	}
	return false
}
