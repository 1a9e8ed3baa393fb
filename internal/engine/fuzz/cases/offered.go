package cases

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// How the cases with values that the server names are described.
const (
	MentionedValue = "a value that the description mentions"
	OfferedValue   = "a value that an error offers"
	ReturnedValue  = "a value that another tool returned"
)

// maxOffered limits the values of errors that are used for a tool.
const maxOffered = 6

// Offer adds values that the message of an error offers: the next cases have them, in each text or integer for which the schema
// lists no values. A tool that knows some names only fails with all others.
func (g *Generator) Offer(values []string) {
	for _, v := range values {
		if g.known[v] || len(g.known) >= maxOffered {
			continue
		}
		if g.known == nil {
			g.known = map[string]bool{}
		}
		g.known[v] = true
		var all []edit
		g.bases[0].walk(func(n *node) {
			switch {
			case !n.isOpen() || len(all) >= maxEarlyTexts:
			case n.kind == '"':
				all = append(all, kept(replace(n, Valid, OfferedValue, string(rawjson.Quote(v))))...)
			case n.kind == '0' && isDigits(v):
				all = append(all, kept(replace(n, Valid, OfferedValue, v))...)
			}
		})
		for _, e := range all {
			if g.allows([]edit{e}) {
				g.offered = append(g.offered, []edit{e})
				g.edits[0] = append(g.edits[0], e)
			}
		}
	}
}

// IsKnown reports whether a case has a value that the server names.
func (c *Case) IsKnown() bool {
	for _, origin := range []string{MentionedValue, OfferedValue, ReturnedValue} {
		if strings.HasPrefix(c.Description, origin) {
			return true
		}
	}
	return false
}

// isDigits reports whether a value is a whole number as JSON writes it.
func isDigits(v string) bool {
	return v != "" && strings.Trim(v, "0123456789") == "" && (v[0] != '0' || v == "0")
}
