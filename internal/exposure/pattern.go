package exposure

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled on its first use: most commands use none, and start faster.
type pattern func() *regexp.Regexp

// compile returns the pattern of a regular expression, which must be valid.
func compile(expression string) pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
