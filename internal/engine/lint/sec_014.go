package lint

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec014 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-014",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `description refers to another server's tool

A server that instructs a model how to use another server's tool can manipulate that tool. The rule is a heuristic;
related servers may have a legitimate reason.

Describe only your own tools.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		owners := map[string]map[string]bool{}
		for _, t := range p.Tools {
			if owners[t.Name] == nil {
				owners[t.Name] = map[string]bool{}
			}
			owners[t.Name][t.Server] = true
		}
		for _, t := range p.Tools {
			for _, word := range strings.FieldsFunc(t.Description(), notIdentifier) {
				if servers := owners[word]; len(servers) > 0 && !servers[t.Server] && strings.ContainsAny(word, "_-") {
					p.ReportTool(t, "/description", nil, "the description mentions %s, a tool of server %s",
						quoted(word), quoted(slices.Sorted(maps.Keys(servers))[0]))
					break
				}
			}
		}
	},
}

func notIdentifier(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
}
