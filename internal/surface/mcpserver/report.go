package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// messageLimit is the maximum length of a message in a compact report; show_finding has all of it.
const messageLimit = 160

// maxSubjects is the number of subjects of a finding in a compact report.
const maxSubjects = 8

// A compactFinding is a finding, or findings with one cause, in a compact report.
type compactFinding struct {
	ID       int      `json:"id"` // for show_finding
	Rule     string   `json:"rule"`
	Severity string   `json:"severity"`
	Title    string   `json:"title,omitempty"`
	In       []string `json:"in,omitempty"`
	At       string   `json:"at,omitempty"`
	Message  string   `json:"message"`
	Count    int      `json:"count,omitempty"` // if more than one
	Origin   string   `json:"origin,omitempty"`
}

// A storedReport is a report of an engine, as far as this package reads it.
type storedReport struct {
	Rules   []finding.Rule
	Summary json.RawMessage
	Results []struct {
		Rule, Name, Status, Broken string
		Findings                   []finding.Finding
	}
	Metrics map[string]float64
	Check   *struct {
		Server, Offers, Verdict, Why, Grade string
		Areas                               []struct{ Name, State, Grade, Evidence, About string }
		Hosts                               []struct {
			Name           string
			Tools, Arrived int
		}
		Groups []struct {
			Rule, Title, Severity, Message, Origin string
			Findings                               int
			Subjects                               []string
		}
		NotTested []string `json:"not_tested"`
	}
}

// readReport reads a report of findings; ok is false for the result of another operation.
func readReport(report json.RawMessage) (r storedReport, ok bool) {
	var head struct{ Engine string }
	ok = json.Unmarshal(report, &head) == nil && head.Engine != "" && json.Unmarshal(report, &r) == nil
	return r, ok
}

// compact returns what an assistant needs of a report: the verdict, and each finding in a few words with an ID for
// show_finding. The documentation of rules, evidence and passed checks are in the stored report.
func compact(report json.RawMessage) json.RawMessage {
	r, ok := readReport(report)
	if !ok {
		return report
	}
	var out ordered
	switch {
	case r.Check != nil:
		out = r.verdict()
	default:
		out = ordered{"summary", r.Summary, "findings", r.findings()}
		if broken := r.broken(); len(broken) > 0 {
			out = append(out, "broken", broken)
		}
		if metrics := r.metrics(); len(metrics) > 0 {
			out = append(out, "metrics", metrics)
		}
	}
	encoded, err := out.MarshalJSON()
	if err != nil {
		return report
	}
	return encoded
}

// withoutUnusedRules removes rules without a finding from a report: their text is longer than all findings.
func withoutUnusedRules(report json.RawMessage) json.RawMessage {
	r, ok := readReport(report)
	if !ok {
		return report
	}
	violated, kept := map[string]bool{}, []json.RawMessage{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			violated[f.Rule] = true
		}
	}
	for i, raw := range elementsAt(report, "/rules") {
		if violated[r.Rules[i].ID] {
			kept = append(kept, raw)
		}
	}
	out, err := schema.Apply(report, []finding.Edit{{Pointer: "/rules", Value: serve.Encode(kept)}})
	if err != nil {
		return report
	}
	return out
}

// verdict is a check: its verdict first, then areas and findings, each cause once.
func (r *storedReport) verdict() ordered {
	c := r.Check
	areas, lost := []string{}, []string{}
	for _, a := range c.Areas {
		areas = append(areas, strings.TrimSpace(fmt.Sprintf("%s %s: %s; %s", a.Name, orState(a.Grade, a.State),
			a.Evidence, a.About)))
	}
	for _, h := range c.Hosts {
		if h.Arrived < h.Tools {
			lost = append(lost, fmt.Sprintf("%s shows %d of %d tools", h.Name, h.Arrived, h.Tools))
		}
	}
	found := []compactFinding{}
	for i, g := range c.Groups {
		one := compactFinding{ID: i + 1, Rule: g.Rule, Severity: g.Severity, Title: g.Title, In: someOf(g.Subjects),
			Message: clip.Text(g.Message, messageLimit), Origin: g.Origin}
		if g.Findings > 1 {
			one.Count = g.Findings
		}
		found = append(found, one)
	}
	out := ordered{"verdict", c.Verdict, "grade", c.Grade}
	if c.Why != "" {
		out = append(out, "why", clip.Text(c.Why, messageLimit))
	}
	out = append(out, "server", c.Server, "offers", c.Offers, "areas", areas, "findings", found)
	if len(lost) > 0 {
		out = append(out, "hosts", lost)
	}
	if len(c.NotTested) > 0 {
		out = append(out, "not_tested", c.NotTested)
	}
	return out
}

func orState(grade, state string) string {
	if grade == "" {
		return state
	}
	return grade
}

func someOf(subjects []string) []string {
	if len(subjects) <= maxSubjects {
		return subjects
	}
	return append(subjects[:maxSubjects:maxSubjects], fmt.Sprintf("and %d more", len(subjects)-maxSubjects))
}

// findings lists the findings of every result, numbered in the order of the report.
func (r *storedReport) findings() []compactFinding {
	titles := map[string]string{}
	for _, rule := range r.Rules {
		titles[rule.ID] = rule.Title()
	}
	all := []compactFinding{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			one := compactFinding{ID: len(all) + 1, Rule: f.Rule, Severity: string(f.Severity), Title: titles[f.Rule],
				At: f.Where.Pointer, Message: clip.Text(f.Message, 2*messageLimit), Origin: f.Origin}
			if subject := f.Where.Subject; subject != "" {
				one.In = []string{subject}
			} else if result.Name != "" {
				one.In = []string{result.Name}
			}
			all = append(all, one)
		}
	}
	return all
}

// broken lists what could not be finished, and why.
func (r *storedReport) broken() []string {
	var all []string
	for _, result := range r.Results {
		if result.Broken != "" {
			all = append(all, strings.TrimSpace(result.Rule+" "+result.Name)+": "+result.Broken)
		}
	}
	return all
}

// metrics are the figures of a run, without those of single families.
func (r *storedReport) metrics() map[string]float64 {
	kept := map[string]float64{}
	for name, value := range r.Metrics {
		if !strings.HasPrefix(name, "conform.") {
			kept[name] = value
		}
	}
	return kept
}
