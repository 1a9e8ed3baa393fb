// Package lint judges tool definitions without calling them: weak schemas, departures from the protocol, descriptions
// that mislead a model, text that hides something, and what hosts and providers do with a definition.
//
// A [Rule] is a value in a file of its own. [Run] applies rules to a [Catalog] and returns a report; [Fix] tightens a
// catalog. What a tool does wrong is a finding and never a Go error.
package lint

//go:generate go run ../../../tools/rulelist

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// A Rule is one thing that can be wrong with a tool, or with a catalog of tools.
type Rule struct {
	finding.Rule
	Whole  bool         // Check sees the catalog once, with Pass.Tool nil, and not each tool
	Breaks hosts.Breaks // what a host loses, for the rules of host profiles
	Check  func(*Pass)  // reports through the pass
}

// Find returns the rule with the id, however its letters are cased.
func Find(id string) (*Rule, bool) {
	for _, r := range Rules() {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return nil, false
}
