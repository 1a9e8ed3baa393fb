package mcpserver

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// brokenRules leaves rules without a finding out of a report: what they say is longer than all that was found, and an
// assistant reads every word of it. The report that is kept has them, and so has mcptest://rules.
func brokenRules(report json.RawMessage) json.RawMessage {
	var r struct {
		Rules   []json.RawMessage
		Results []struct{ Findings []struct{ Rule string } }
	}
	members, err := schema.Members(report)
	if err != nil || json.Unmarshal(report, &r) != nil || len(r.Rules) == 0 {
		return report // of another kind
	}
	broken := map[string]bool{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			broken[f.Rule] = true
		}
	}
	kept := []json.RawMessage{}
	for _, raw := range r.Rules {
		var rule struct{ ID string }
		if json.Unmarshal(raw, &rule) == nil && broken[rule.ID] {
			kept = append(kept, raw)
		}
	}
	var short ordered
	for _, m := range members {
		if m.Name == "rules" {
			short = append(short, m.Name, kept)
			continue
		}
		short = append(short, m.Name, m.Value)
	}
	out, _ := short.MarshalJSON() // it cannot fail
	return out
}
