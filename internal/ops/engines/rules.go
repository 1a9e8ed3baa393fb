package engines

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/isolate"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/engine/render"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
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
	all = append(all, isolate.Rules()...)
	all = append(all, ready.Rules()...)
	all = append(all, render.Rules()...)
	all = append(all, change.Rules()...)
	return append(all, suite.Deprecations()...)
}

// IsRulePattern reports whether a pattern matches at least one rule of a check.
func IsRulePattern(pattern string) bool {
	return slices.ContainsFunc(AllRules(), func(r finding.Rule) bool { return finding.Matches(r.ID, pattern) })
}

// Rules lists the rules.
var Rules = workbench.Op[RulesInput, *RuleList]{
	Uses: workbench.Color,
	Name: "rules", Section: workbench.Test, Order: 110, Page: true, Doc: "List the rules",
	Example: "mcptest rules SCH",
	Run: func(_ context.Context, _ *workbench.Workbench, in *RulesInput) (*RuleList, error) {
		list := &RuleList{}
		for _, r := range AllRules() {
			if in.Family == "" || strings.EqualFold(in.Family, r.Family()) {
				list.Rules = append(list.Rules, r)
			}
		}
		if len(list.Rules) == 0 {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown rule family %q", in.Family),
				Hint: hint.Text(DidYouMean(in.Family, Choices("family")) + "run: mcptest rules")}
		}
		return list, nil
	},
	Text: func(out io.Writer, l *RuleList) error {
		t := workbench.NewText(out)
		for rules := l.Rules; len(rules) > 0; {
			n := slices.IndexFunc(rules, func(r finding.Rule) bool { return r.Family() != rules[0].Family() })
			if n < 0 {
				n = len(rules)
			}
			family(t, rules[:n])
			rules = rules[n:]
		}
		return t.Err
	},
}

// family writes the rules of one family as a table. Each family has its own column widths: some have long IDs.
func family(t *workbench.Text, rules []finding.Rule) {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	for _, r := range rules {
		title := r.Title()
		if before := strings.Repeat(" ", width+12); t.Columns > 0 {
			title = strings.TrimPrefix(report.Fill(before, before, title, t.Columns), before)
		}
		t.Line(t.Bold("%-*s", width, r.ID) + "  " + fmt.Sprintf("%-8s", r.Severity) + "  " + title)
	}
}

// DidYouMean suggests a similar name; "" if there is none.
func DidYouMean(typed string, known []string) string {
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
	if text, ok := isolate.Explain(id); ok {
		return text, true
	}
	if text, ok := ready.Explain(id); ok {
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

// EngineOf returns the command that runs the rules of an engine alone; empty for other engines.
func EngineOf(id string) string {
	for engine, explain := range map[string]func(string) (string, bool){"schema-lint": lint.Explain,
		"conform": conform.Explain, "fuzz": fuzz.Explain} {
		if _, ok := explain(id); ok {
			return engine
		}
	}
	return ""
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
var Explain = workbench.Op[ExplainInput, *Explanation]{
	Name: "explain", Section: workbench.Test, Order: 120, Page: true, Doc: "Explain a rule",
	Example: "mcptest explain SCH-001",
	Run: func(_ context.Context, _ *workbench.Workbench, in *ExplainInput) (*Explanation, error) {
		text, ok := ExplainRule(in.Rule)
		if !ok {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown rule %q", in.Rule),
				Hint: hint.Text(DidYouMean(in.Rule, Choices("rule")) + "run: mcptest rules")}
		}
		return &Explanation{Rule: in.Rule, Text: text}, nil
	},
	Text: func(out io.Writer, e *Explanation) error {
		t := workbench.NewText(out)
		width := readable
		if t.Columns > 0 {
			width = min(width, t.Columns)
		}
		for line := range strings.SplitSeq(report.Wrap(strings.TrimRight(e.Text, "\n"), width), "\n") {
			explanationLine(t, line)
		}
		return t.Err
	},
}

// source matches the line of an explanation that has a URL.
var source = regexp.MustCompile(`^([A-Z][a-z]+): <(\S+)>$`)

// explanationLine writes a line. A URL that does not fit gets its own line, or becomes a link with a shorter text.
func explanationLine(t *workbench.Text, line string) {
	m := source.FindStringSubmatch(line)
	if m == nil || t.Columns < workbench.Narrowest || len(line) <= t.Columns {
		t.Line(line)
		return
	}
	label := clip.Runes(strings.TrimPrefix(m[2], "https://"), t.Columns-len(m[1])-len(": …"))
	if link, ok := t.Link(label, m[2]); ok {
		t.Line(m[1] + ": " + link)
		return
	}
	t.Line(m[1] + ":\n" + m[2])
}
