package lint

import (
	"strconv"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec011 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-011",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `mixed-script name

Latin letters mixed with Cyrillic or Greek ones that look the same make a name that a user mistakes for another:
gеt_user with a Cyrillic е is not get_user.

Write the name in one alphabet.`,
	},
	Check: func(p *Pass) {
		latin, other := false, rune(0)
		for _, r := range p.Tool.Name {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin = true
			case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee):
				other = r
			}
		}
		if latin && other != 0 {
			p.Report("/name", "the name %s mixes alphabets: %s is U+%04X", braced(strconv.QuoteToASCII(p.Tool.Name)),
				string(other), other)
		}
	},
}
