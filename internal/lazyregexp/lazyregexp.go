// Package lazyregexp compiles regular expressions when they are first used. A command uses few of those that its
// packages declare, and compiling all of them would delay its start.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New returns a function that compiles the expression at its first call. In tests it is compiled at once, so that an
// invalid one cannot stay unnoticed.
func New(expression string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	if inTest {
		compiled()
	}
	return compiled
}

var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")
