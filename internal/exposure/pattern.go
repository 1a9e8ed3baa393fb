package exposure

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// A pattern is a regular expression that is compiled on its first use: most commands use none, and start faster.
type pattern func() *expression

// compile returns the pattern of a regular expression, which must be valid.
func compile(text string) pattern {
	return sync.OnceValue(func() *expression {
		e := &expression{Regexp: regexp.MustCompile(text)}
		if tree, err := syntax.Parse(text, syntax.Perl); err == nil {
			e.literals = literals(tree)
		}
		return e
	})
}

// An expression is a regular expression that is quick on texts without any of its literals. That is most texts, and many
// expressions are tried on each result of a server.
type expression struct {
	*regexp.Regexp
	literals []string // each match contains one of them; empty if none are known
}

// FindString is the leftmost match; empty if there is none.
func (e *expression) FindString(text string) string {
	if !e.possible(text) {
		return ""
	}
	return e.Regexp.FindString(text)
}

// MatchString reports whether there is a match.
func (e *expression) MatchString(text string) bool {
	return e.possible(text) && e.Regexp.MatchString(text)
}

func (e *expression) possible(text string) bool {
	return len(e.literals) == 0 ||
		slices.ContainsFunc(e.literals, func(literal string) bool { return strings.Contains(text, literal) })
}

// literals returns texts of which each match contains one; empty if that is unknown.
func literals(tree *syntax.Regexp) []string {
	switch tree.Op {
	case syntax.OpLiteral:
		if tree.Flags&syntax.FoldCase == 0 {
			return []string{string(tree.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return literals(tree.Sub[0])
	case syntax.OpRepeat:
		if tree.Min > 0 {
			return literals(tree.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, branch := range tree.Sub {
			some := literals(branch)
			if len(some) == 0 {
				return nil
			}
			all = append(all, some...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, part := range tree.Sub {
			if some := literals(part); shortest(some) > shortest(best) {
				best = some
			}
		}
		return best
	}
	return nil
}

// shortest is the length of the shortest text: the longer, the fewer texts contain it.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
