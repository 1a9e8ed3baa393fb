package cases

import "github.com/mcptest-dev/mcptest/internal/lazyregexp"

// unicodeClass matches what a pattern requires, and a text with letters or digits beyond ASCII that violates it.
var unicodeClass = lazyregexp.New(`^pattern .*expected a string that matches .*\\[wdsb].*, received .*[^\x00-\x7f]`)

// ReadsUnicodeClass reports whether a text violates a pattern only where regular expressions differ: \w and \d match letters and digits
// beyond ASCII in Python, and not in JavaScript.
func (c *Case) ReadsUnicodeClass() bool { return unicodeClass().MatchString(c.Violates) }
