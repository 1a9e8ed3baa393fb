package conform

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool051 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-051",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `list in a result should contain each item once, and match its count

The only list in a result contains the same item with the same id twice, or has more items than the count beside it, such as
total_count. A model reports wrong numbers, or acts twice on one item. Typical causes: a join that multiplies rows, pages
that overlap, and a count that is made before the list changes.`,
	},
	Needs: "tools",
	Last:  true, // it evaluates the results of all checks
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		for _, s := range p.round.validator.simplest(&p.round.validator.results) {
			if s.method != "tools/call" || calls.IsError(s.message.Result) {
				continue
			}
			if wrong := inconsistency(s.message.Result); wrong != "" {
				seen := s.proof()
				seen.Subject = schema.TextAt(s.frames[0].Body, "/params/name")
				p.once(seen, "%s", wrong)
			}
		}
		return nil
	},
}

// countNames matches the names of numbers that count all items of a list. A plain total may be a sum of the items.
var countNames = lazyregexp.New(`^(?:total_?(?:count|results|items|matches|hits)|(?:num|number_?of)_?(?:results|items|` +
	`matches)|(?:result|item|match)_?count)$`)

// inconsistency describes what is wrong with the only list in a result; empty if nothing is, or if there is no such list.
func inconsistency(result json.RawMessage) string {
	value := valueOf(result)
	items, err := schema.Elements(onlyList(value))
	if err != nil {
		return ""
	}
	members, _ := schema.Members(value)
	for _, m := range members {
		count, err := strconv.Atoi(string(m.Value))
		if err == nil && count < len(items) && countNames().MatchString(strings.ToLower(m.Name)) {
			return m.Name + " is " + string(m.Value) + ": expected the number of items or more, got a list of " +
				strconv.Itoa(len(items))
		}
	}
	seen := map[string]json.RawMessage{}
	for _, item := range items {
		id := At(item, "/id")
		if schema.Kind(item) != '{' || id == nil || string(id) == "null" || string(id) == `""` {
			continue
		}
		if same := seen[string(id)]; same != nil && equalJSON(same, item) {
			return "the list contains the item with id " + show(id) + " twice, expected it once"
		}
		seen[string(id)] = item
	}
	return ""
}
