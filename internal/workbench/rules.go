package workbench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// A RulesInput is the input of Rules.
type RulesInput struct {
	Family string `json:"family,omitempty" cli:"optional" jsonschema:"only the rules of this family: SCH, SPEC, QUAL, SEC, a host, or an area of conform such as LIFE or HTTP"`
}

// RuleList lists rules.
type RuleList struct {
	Rules []finding.Rule `json:"rules"`
}

// AllRules are the rules of every engine.
func AllRules() []finding.Rule {
	var all []finding.Rule
	for _, r := range lint.Rules() {
		all = append(all, r.Rule)
	}
	for _, c := range conform.Checks() {
		all = append(all, c.Rule)
	}
	all = append(all, suite.Rules()...)
	all = append(all, fuzz.Rules()...)
	all = append(all, load.Rules()...)
	all = append(all, change.Rules()...)
	return append(all, suite.Deprecations()...)
}

// isRulePattern reports whether a pattern matches at least one rule of a check.
func isRulePattern(pattern string) bool {
	return slices.ContainsFunc(AllRules(), func(r finding.Rule) bool { return finding.Matches(r.ID, pattern) })
}

// Rules lists the rules.
var Rules = Op[RulesInput, *RuleList]{
	Uses: Color,
	Name: "rules", Surfaces: Page | Assistant, Doc: "List the rules",
	Example: "mcptest rules SCH",
	Run: func(_ context.Context, _ *Workbench, in *RulesInput) (*RuleList, error) {
		list := &RuleList{}
		for _, r := range AllRules() {
			if in.Family == "" || strings.EqualFold(in.Family, r.Family()) {
				list.Rules = append(list.Rules, r)
			}
		}
		if len(list.Rules) == 0 {
			return nil, &UsageError{Message: fmt.Sprintf("unknown rule family %q", in.Family), Hint: hint.Text(didYouMean(in.Family, Choices("family")) + "run: mcptest rules")}
		}
		return list, nil
	},
	Text: func(out io.Writer, l *RuleList) error {
		t := newText(out)
		for rules := l.Rules; len(rules) > 0; {
			n := slices.IndexFunc(rules, func(r finding.Rule) bool { return r.Family() != rules[0].Family() })
			if n < 0 {
				n = len(rules)
			}
			t.family(rules[:n])
			rules = rules[n:]
		}
		return t.err
	},
}

// family writes the rules of one family as a table. Each family has its own column widths: some have long IDs.
func (t *text) family(rules []finding.Rule) {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	for _, r := range rules {
		title := r.Title()
		if before := strings.Repeat(" ", width+12); t.columns > 0 {
			title = strings.TrimPrefix(report.Fill(before, before, title, t.columns), before)
		}
		t.line(t.bold("%-*s", width, r.ID) + "  " + fmt.Sprintf("%-8s", r.Severity) + "  " + title)
	}
}

// didYouMean suggests a similar name; "" if there is none.
func didYouMean(typed string, known []string) string {
	near := typo.Nearest(typed, known)
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(near, " or ") + "? "
}

// ExplainRule returns the documentation of a rule of any engine, as Markdown.
func ExplainRule(id string) (string, bool) {
	if text, ok := lint.Explain(id); ok {
		return text, true
	}
	if text, ok := conform.Explain(id); ok {
		return text, true
	}
	if text, ok := fuzz.Explain(id); ok {
		return text, true
	}
	if text, ok := change.Explain(id); ok {
		return text, true
	}
	for _, r := range AllRules() {
		if strings.EqualFold(r.ID, id) {
			_, body, _ := strings.Cut(r.Doc, "\n")
			text := fmt.Sprintf("# %s: %s\n\nSeverity: %s.", r.ID, r.Title(), r.Severity)
			if r.Spec != "" {
				text += "\nSource: <" + r.Spec + ">"
			}
			return text + "\n\n" + strings.TrimSpace(body) + "\n", true
		}
	}
	return "", false
}

// readable is the maximum length of a line of prose.
const readable = 100

// An ExplainInput is the input of Explain.
type ExplainInput struct {
	Rule string `json:"rule" cli:"arg" jsonschema:"the rule's id"`
}

// An Explanation is the documentation of a rule.
type Explanation struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// Explain shows what a rule checks, and why.
var Explain = Op[ExplainInput, *Explanation]{
	Name: "explain", Surfaces: Page | Assistant, Doc: "Explain a rule",
	Example: "mcptest explain SCH-001",
	Run: func(_ context.Context, _ *Workbench, in *ExplainInput) (*Explanation, error) {
		text, ok := ExplainRule(in.Rule)
		if !ok {
			return nil, &UsageError{Message: fmt.Sprintf("unknown rule %q", in.Rule), Hint: hint.Text(didYouMean(in.Rule, Choices("rule")) + "run: mcptest rules")}
		}
		return &Explanation{Rule: in.Rule, Text: text}, nil
	},
	Text: func(out io.Writer, e *Explanation) error {
		t := newText(out)
		width := readable
		if t.columns > 0 {
			width = min(width, t.columns)
		}
		t.line(report.Wrap(strings.TrimRight(e.Text, "\n"), width))
		return t.err
	},
}
