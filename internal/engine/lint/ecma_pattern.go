package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// Parts of patterns that ECMA-262 does not have, each at the start of a text. Groups with the flags i, m and s for a part, as in
// (?i:a), have been in ECMA-262 since 2025.
var (
	ecmaGroup    = lazyregexp.New(`^\((?:[^?]|\?(?::|=|!|<=|<!|<[\pL_$][\pL\pN_$]*>|[ims]*-?[ims]*:)|$)`)
	foreignGroup = lazyregexp.New(`^\(\?(?:P?[<'=]\w*[>')]?|P?>|[a-zA-Z^-]+[:)]?|.)?`)
	possessive   = lazyregexp.New(`^(?:[*+?]|\{\d+(?:,\d*)?\})\+`)
	posixClass   = lazyregexp.New(`^\[:\^?\w+:\][^\[]*\]`)
	hexInBraces  = lazyregexp.New(`^\\x\{[0-9A-Fa-f]+\}`)
)

// foreignEscapes are letters whose escapes have a meaning in other engines, and are errors or plain letters in ECMA-262.
const foreignEscapes = "AZzhHRKGQEXNaeCLU"

// ecmaError returns the first part of a pattern that is valid in other engines and not in ECMA-262; nil if there is none. It
// reads patterns as with the flag u, but allows an escape before any character that is not a letter.
func ecmaError(pattern string) error {
	inClass := false
	for at := 0; at < len(pattern); {
		rest := pattern[at:]
		part, size := foreignPart(rest, inClass)
		if part != "" {
			return fmt.Errorf("%s is not part of ECMA-262 regular expressions", part)
		}
		switch {
		case rest[0] == '[' && !inClass:
			inClass = true
			if strings.HasPrefix(rest, "[]") || strings.HasPrefix(rest, "[^]") {
				return nil // an empty class in ECMA-262, and a bracket in a class elsewhere: what follows depends on the engine
			}
		case rest[0] == ']':
			inClass = false
		}
		at += size
	}
	return nil
}

// foreignPart returns what ECMA-262 does not have at the start of a text, or else the size of what is there.
func foreignPart(text string, inClass bool) (part string, size int) {
	find := func(re *regexp.Regexp, what string) string {
		if found := re.FindString(text); found != "" {
			return what + found
		}
		return ""
	}
	switch {
	case text[0] == '\\' && len(text) > 1:
		if strings.IndexByte(foreignEscapes, text[1]) >= 0 {
			return "the escape " + text[:2], 0
		}
		return find(hexInBraces(), "the escape "), 2
	case inClass:
		name, _, _ := strings.Cut(find(posixClass(), "the class "), "]")
		if name != "" {
			name += "]"
		}
		return name, 1
	case text[0] == '(' && !ecmaGroup().MatchString(text):
		return find(foreignGroup(), "the group "), 1
	}
	if possessive().MatchString(text) {
		return find(possessive(), "the possessive quantifier "), 1
	}
	return "", 1
}
