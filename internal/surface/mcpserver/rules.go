package mcpserver

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// shorter removes rules without a finding from a report: their text is longer than all findings, and an
// assistant reads all of it. If terse, it also removes results without a finding; the summary counts them. The
// stored report has both, and mcptest://rules the rules.
func shorter(report json.RawMessage, terse bool) json.RawMessage {
	var r struct {
		Rules   []json.RawMessage
		Results []struct {
			Status   string
			Findings []struct{ Rule string }
		}
	}
	members, err := schema.Members(report)
	if err != nil || json.Unmarshal(report, &r) != nil || len(r.Rules) == 0 {
		return report // a different kind
	}
	broken := map[string]bool{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			broken[f.Rule] = true
		}
	}
	rules := []json.RawMessage{}
	for _, raw := range r.Rules {
		var rule struct{ ID string }
		if json.Unmarshal(raw, &rule) == nil && broken[rule.ID] {
			rules = append(rules, raw)
		}
	}
	var short ordered
	for _, m := range members {
		switch {
		case m.Name == "rules":
			short = append(short, m.Name, rules)
		case m.Name == "results" && terse:
			all, _ := schema.Elements(m.Value) // it was read above
			results := []json.RawMessage{}
			for i, raw := range all {
				if one := r.Results[i]; len(one.Findings) > 0 || one.Status != "passed" && one.Status != "skipped" {
					results = append(results, raw)
				}
			}
			short = append(short, m.Name, results)
		default:
			short = append(short, m.Name, m.Value)
		}
	}
	out, _ := short.MarshalJSON() // it cannot fail
	return out
}
