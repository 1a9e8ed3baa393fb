package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/advice"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A Group is findings with one cause.
type Group struct {
	Rule     string           `json:"rule"` // of the most severe finding
	Title    string           `json:"title"`
	Severity finding.Severity `json:"severity"`
	Area     string           `json:"area"`
	Advises  bool             `json:"advises,omitempty"`  // it does not change the grade
	Origin   string           `json:"origin,omitempty"`   // the SDK that causes it
	Reported string           `json:"reported,omitempty"` // where that was reported
	Findings int              `json:"findings"`
	Also     []string         `json:"also,omitempty"` // other rules that report the same cause
	Subjects []string         `json:"subjects,omitempty"`
	Message  string           `json:"message"`
	advice.Advice
	Reproduce string `json:"reproduce,omitempty"`

	first finding.Finding
	rest  []finding.Finding
}

// sameCause are rules of several engines that report one fault of a tool.
var sameCause = [][]string{
	{"FUZZ-004", "TOOL-010", "TOOL-011"},              // arguments are not validated
	{"FUZZ-006", "TOOL-013"},                          // the result does not match the outputSchema
	{"FUZZ-003", "WIRE-001"},                          // the result is malformed
	{"SPEC-005", "TOOL-005"},                          // a tool is listed twice
	{"FUZZ-021", "TOOL-030"},                          // isError is missing
	{"SPEC-022", "TOOL-024"},                          // no description
	{"TOOL-004", "RES-004", "TMPL-003", "PROMPT-004"}, // any cursor is accepted
	{"FUZZ-001", "FUZZ-009", "RUN-002"},               // the server exits
	{"RPC-010", "RPC-009"},
	{"APP-101", "APP-001"}, {"APP-106", "APP-006"}, {"APP-108", "APP-008"}, // declarations of views
}

// causeOf returns the rule under which a cause is counted.
func causeOf(rule string) string {
	for _, set := range sameCause {
		if slices.Contains(set, rule) {
			return set[0]
		}
	}
	return rule
}

// areaOrder is the order of areas among findings of the same severity: crashes first, then the protocol, then schemas.
var areaOrder = []string{"robustness", "protocol", "schemas"}

// groups groups findings with the same cause, most severe first. Information is omitted.
func (r *Result) groups() []Group {
	rules := map[string]finding.Rule{}
	for _, rule := range r.Report.Rules {
		rules[rule.ID] = rule
	}
	type cause struct {
		rule   string
		ours   bool
		advice bool
	}
	byCause := map[cause][]finding.Finding{}
	var order []cause
	for _, f := range r.Report.Findings() {
		if f.Severity == finding.Info {
			continue
		}
		at := cause{causeOf(f.Rule), f.Origin == "", isAdvice(f)}
		if byCause[at] == nil {
			order = append(order, at)
		}
		byCause[at] = append(byCause[at], f)
	}
	var all []Group
	for _, at := range order {
		all = append(all, r.group(byCause[at], rules))
	}
	slices.SortStableFunc(all, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Severity.Rank(), a.Severity.Rank()),
			cmp.Compare(slices.Index(areaOrder, a.Area), slices.Index(areaOrder, b.Area)))
	})
	return all
}

// group creates a group of findings. The most severe one represents the group; of several, the first.
func (r *Result) group(findings []finding.Finding, rules map[string]finding.Rule) Group {
	at := 0
	for i, f := range findings {
		if f.Severity.Rank() > findings[at].Severity.Rank() {
			at = i
		}
	}
	first := findings[at]
	rule := rules[first.Rule]
	g := Group{Rule: first.Rule, Title: strings.TrimSuffix(rule.Title(), "."), Severity: first.Severity,
		Area:    r.area[first.Rule],
		Advises: isAdvice(first), Origin: first.Origin, Findings: len(findings), Message: first.Message,
		Advice: advice.For(finding.Rule{ID: first.Rule, Doc: rule.Doc}, r.SDK.Language()), Reproduce: first.Reproduce,
		first: first, rest: slices.Delete(slices.Clone(findings), at, at+1)}
	if known, ok := sdkCause(r.SDK, &first); ok {
		g.Reported = known.Reported
	}
	for _, f := range findings {
		if f.Rule != first.Rule && !slices.Contains(g.Also, f.Rule) {
			g.Also = append(g.Also, f.Rule)
		}
		if f.Where.Subject != "" && !slices.Contains(g.Subjects, f.Where.Subject) {
			g.Subjects = append(g.Subjects, f.Where.Subject)
		}
	}
	return g
}
