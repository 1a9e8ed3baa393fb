package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func explain() tool {
	return tool{
		name:  "explain",
		doc:   "Explains a rule: what it checks, why, and how to fix it.",
		input: closed("", need("rule", text("ID, such as SCH-001.", maxName))),
		run: func(_ context.Context, c *call) (any, error) {
			in := decode[struct{ Rule string }](c)
			text, ok := engines.ExplainRule(in.Rule)
			if !ok {
				return nil, &failure{Type: invalidArguments, Message: fmt.Sprintf("unknown rule %q", in.Rule),
					Details: details{}, Suggestion: "use the rule of a finding, or read the resource " + rulesURI}
			}
			return ordered{"success", true, "explanation", text, "metadata", timing{c.elapsed()}}, nil
		},
	}
}

func showFinding() tool {
	return tool{
		name: "show_finding", quoting: true,
		doc: "Returns a finding of a report in full: evidence, reason, fix and how to reproduce it.",
		input: closed("", need("id", whole("ID of the finding.", 1, 1<<31-1)),
			may("report", whole("1 (default) is the newest report, 2 the one before.", 1, maxReports))),
		run: runShowFinding,
	}
}

func runShowFinding(_ context.Context, c *call) (any, error) {
	in := decode[struct{ ID, Report int }](c)
	report, ok := c.reports.last(max(in.Report, 1))
	if !ok {
		return nil, &failure{Type: invalidArguments, Message: "there is no such report in this session",
			Details: details{}, Suggestion: "run check_server, lint_schemas or another check first"}
	}
	found, total := findingIn(report, in.ID)
	if found == nil {
		return nil, &failure{Type: invalidArguments, Message: fmt.Sprintf("the report has %d findings", total),
			Details: details{"findings": total}, Suggestion: "use an id of the report"}
	}
	return append(append(ordered{"success", true}, found...), "metadata", timing{c.elapsed()}), nil
}

// maxExamples is the number of findings with one cause that are shown in full.
const maxExamples = 5

// findingIn returns a finding of a report by its ID in the compact report, and how many there are.
func findingIn(report json.RawMessage, id int) (found ordered, total int) {
	r, ok := readReport(report)
	if !ok {
		return nil, 0
	}
	var rules []string
	one := json.RawMessage(nil)
	if r.Check != nil {
		groups := elementsAt(report, "/check/groups")
		if total = len(groups); id > total {
			return nil, total
		}
		var also struct{ Also []string }
		_ = json.Unmarshal(groups[id-1], &also) // it was read above
		one, rules = groups[id-1], append([]string{r.Check.Groups[id-1].Rule}, also.Also...)
	}
	var all []json.RawMessage
	for i, result := range elementsAt(report, "/results") {
		for n, f := range elementsAt(result, "/findings") {
			known := r.Results[i].Findings[n]
			if r.Check == nil {
				if total++; total == id {
					one, rules = f, []string{known.Rule}
				}
			} else if slices.Contains(rules, known.Rule) && known.Origin == r.Check.Groups[id-1].Origin {
				all = append(all, f)
			}
		}
	}
	if one == nil {
		return nil, total
	}
	found = ordered{"finding", one}
	if len(all) > 1 {
		found = append(found, "each", all[:min(len(all), maxExamples)], "each_total", len(all))
	} else if len(all) == 1 {
		found = append(found, "each", all)
	}
	proof := one
	if len(all) > 0 {
		proof = all[0]
	}
	var f finding.Finding
	if json.Unmarshal(proof, &f) == nil {
		if calls := repeat(&f); len(calls) > 0 {
			found = append(found, "repeat", calls)
		}
		if command := forUser(&f); command != "" {
			found = append(found, "for_user", command)
		}
	}
	if text, ok := engines.ExplainRule(rules[0]); ok {
		found = append(found, "explanation", text)
	}
	return found, total
}

// elementsAt returns the elements of the array at a pointer.
func elementsAt(raw json.RawMessage, pointer string) []json.RawMessage {
	list, _ := schema.Get(raw, pointer)
	all, _ := schema.Elements(list)
	return all
}
