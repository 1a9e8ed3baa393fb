// Package lint checks tool definitions without calling the tools: weak schemas, protocol violations, descriptions that
// mislead a model, hidden text, and incompatibilities with hosts and providers.
//
// Each [Rule] is a value in a separate file. [Run] applies rules to a [Catalog] and returns a report; [Fix] tightens a
// catalog. A fault of a tool is a finding and never a Go error.
package lint

//go:generate go run ../../../tools/rulelist

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// A Rule is one check of a tool, or of a catalog of tools.
type Rule struct {
	finding.Rule
	Whole  bool         // Check runs once for the catalog, with Pass.Tool nil, and not for each tool
	Breaks hosts.Breaks // what a host loses, for rules of host profiles
	Check  func(*Pass)  // reports through the pass
	Entry  func(*Pass)  // the same for what a file lists besides tools, with Pass.Entry; nil for rules about tools

	Unproven bool // no run and no source confirms the claim, so it is never an error
}

// Find returns the rule with the ID, ignoring case.
func Find(id string) (*Rule, bool) {
	for _, r := range Rules() {
		if strings.EqualFold(r.ID, id) {
			return r, true
		}
	}
	return nil, false
}
