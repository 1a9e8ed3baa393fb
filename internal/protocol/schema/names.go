package schema

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// capital matches the start of a word inside a name such as listProjects.
var capital = lazyregexp.New(`([a-z0-9])([A-Z])`)

// Snake is a name in lower case, with its words separated by underscores.
func Snake(name string) string {
	return strings.ReplaceAll(strings.ToLower(capital().ReplaceAllString(name, "${1}_${2}")), "-", "_")
}

// Singular is the singular of an English noun.
func Singular(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ies"):
		return strings.TrimSuffix(noun, "ies") + "y"
	case strings.HasSuffix(noun, "sses"), strings.HasSuffix(noun, "xes"), strings.HasSuffix(noun, "ches"):
		return strings.TrimSuffix(noun, "es")
	case strings.HasSuffix(noun, "ss"):
		return noun
	}
	return strings.TrimSuffix(noun, "s")
}
