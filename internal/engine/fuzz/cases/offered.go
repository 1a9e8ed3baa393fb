package cases

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// How the cases with values that the server names are described.
const (
	MentionedValue = "a value that the description mentions"
	OfferedValue   = "a value that an error offers"
)

// maxOffered limits the values of errors that are used for a tool.
const maxOffered = 6

// Offer adds values that the message of an error offers: the next cases have them, in each text for which the schema lists no
// values. A tool that knows some names only fails with all others.
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
			if n.kind == '"' && !n.rules.Has("enum") && !n.rules.Has("const") && len(all) < maxEarlyTexts {
				all = append(all, replace(n, Valid, OfferedValue, string(rawjson.Quote(v)))...)
			}
		})
		all = slices.DeleteFunc(all, func(e edit) bool { return !g.allows([]edit{e}) })
		g.offered = append(g.offered, all...)
		g.edits[0] = append(g.edits[0], all...)
	}
}

// IsKnown reports whether a case has a value that the server names.
func (c *Case) IsKnown() bool {
	return strings.HasPrefix(c.Description, MentionedValue) || strings.HasPrefix(c.Description, OfferedValue)
}
