package lint

import (
	"regexp/syntax"
	"slices"
)

// limits reports whether a schema itself bounds the size of a value: with the keyword, by listing its values, or, for
// strings, with a pattern or a format.
func limits(p *Subschema, keyword string) bool {
	if p.Has(keyword) || p.Has("enum") || p.Has("const") {
		return true
	}
	if keyword != "maxLength" {
		return false
	}
	pattern, _ := p.Text("pattern")
	format, _ := p.Text("format")
	return slices.Contains(boundedFormats, format) || pattern != "" && boundedPattern(pattern)
}

// boundedFormats are the formats of strings with a bounded length.
var boundedFormats = []string{"date", "time", "date-time", "uuid", "ipv4", "ipv6"}

// boundedPattern reports whether a pattern matches only strings of bounded length: it is anchored at both ends and has
// no unlimited repetition. A pattern that cannot be parsed counts as unbounded.
func boundedPattern(pattern string) bool {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	return err == nil && anchored(tree, syntax.OpBeginText) && anchored(tree, syntax.OpEndText) && finite(tree)
}

// anchored reports whether every match begins or ends with the anchor.
func anchored(tree *syntax.Regexp, anchor syntax.Op) bool {
	switch tree.Op {
	case anchor:
		return true
	case syntax.OpCapture:
		return anchored(tree.Sub[0], anchor)
	case syntax.OpConcat:
		at := 0
		if anchor == syntax.OpEndText {
			at = len(tree.Sub) - 1
		}
		return anchored(tree.Sub[at], anchor)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !anchored(sub, anchor) })
	}
	return false
}

// finite reports whether there is no unlimited repetition.
func finite(tree *syntax.Regexp) bool {
	if tree.Op == syntax.OpStar || tree.Op == syntax.OpPlus || tree.Op == syntax.OpRepeat && tree.Max < 0 {
		return false
	}
	return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !finite(sub) })
}
