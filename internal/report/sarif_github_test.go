package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestSARIFForGitHub holds SARIF against what GitHub code scanning requires beyond the schema: limits, a region in a
// file with a relative URI, a description and help for every rule, and fingerprints that tell findings apart.
func TestSARIFForGitHub(t *testing.T) {
	all := reports()
	all["many"] = manyFindings(maxSARIFResults + 10)
	for name, r := range all {
		var log sarifLog
		if err := json.Unmarshal([]byte(render(t, "sarif", r, nil)), &log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || len(log.Runs) == 0 || len(log.Runs) > 20 {
			t.Errorf("%s: version %q with %d runs", name, log.Version, len(log.Runs))
		}
		for _, run := range log.Runs {
			if len(run.Results) > 25_000 || len(run.Tool.Driver.Rules) > 25_000 {
				t.Errorf("%s: %d results and %d rules", name, len(run.Results), len(run.Tool.Driver.Rules))
			}
			if name == "many" && (len(run.Results) != 25_000 || run.Results[0].Level != "error" ||
				len(run.Invocations[0].Notifications) != 1) {
				t.Errorf("%d results, the first is %s, %d notifications; expected 25000, the errors first, and one "+
					"that says so",
					len(run.Results), run.Results[0].Level, len(run.Invocations[0].Notifications))
			}
			judgeRules(t, name, run.Tool.Driver.Rules)
			judgeResults(t, name, run)
		}
	}
}

func judgeRules(t *testing.T, name string, rules []sarifRule) {
	t.Helper()
	for _, rule := range rules {
		if rule.ShortDescription == nil {
			continue // a rule that only a finding names
		}
		if rule.Help == nil || rule.Help.Text == "" || rule.FullDescription == nil {
			t.Errorf("%s: %s has no help or description", name, rule.ID)
		}
		for _, text := range []*sarifText{rule.ShortDescription, rule.FullDescription} {
			if n := utf8.RuneCountInString(text.Text); n == 0 || n > 1024 {
				t.Errorf("%s: a description of %s has %d characters", name, rule.ID, n)
			}
		}
	}
}

func judgeResults(t *testing.T, name string, run sarifRun) {
	t.Helper()
	known := map[string]bool{}
	for _, result := range run.Results {
		rules := run.Tool.Driver.Rules
		if result.RuleIndex >= len(rules) || rules[result.RuleIndex].ID != result.RuleID {
			t.Errorf("%s: the rule at %d is not %s", name, result.RuleIndex, result.RuleID)
		}
		if !slices.Contains([]string{"none", "note", "warning", "error"}, result.Level) || result.Message.Text == "" {
			t.Errorf("%s: level %q, message %q", name, result.Level, result.Message.Text)
		}
		if len(result.Locations) == 0 || len(result.Locations) > 1000 || result.Locations[0].Physical == nil {
			t.Fatalf("%s: a result without a place in a file", name)
		}
		place := result.Locations[0].Physical
		if u, err := url.Parse(place.Artifact.URI); err != nil || u.IsAbs() || strings.HasPrefix(u.Path, "/") {
			t.Errorf("%s: the URI %q is not relative", name, place.Artifact.URI)
		}
		if r := place.Region; r == nil || r.StartLine < 1 || r.StartColumn < 1 || r.EndLine < r.StartLine ||
			r.EndColumn < 1 {
			t.Errorf("%s: region %+v", name, place.Region)
		}
		print := result.Fingerprints["primaryLocationLineHash"]
		if key := result.RuleID + print; print == "" || known[key] {
			t.Errorf("%s: fingerprint %q of %s is not its own", name, print, result.RuleID)
		} else {
			known[key] = true
		}
	}
}

// manyFindings is a report with more warnings than services accept, and an error at the end.
func manyFindings(n int) *finding.Report {
	rule := finding.Rule{ID: "SCH-002", Severity: finding.Warning,
		Doc: "open object\n\n" + strings.Repeat("Long. ", 400)}
	result := finding.Result{Rule: rule.ID}
	for i := range n - 1 {
		result.Findings = append(result.Findings,
			finding.Finding{Rule: rule.ID, Severity: finding.Warning, Message: "open",
				Where: finding.Location{Subject: fmt.Sprint("tool", i)}})
	}
	result.Findings = append(result.Findings, finding.Finding{Rule: rule.ID, Severity: finding.Error, Message: "last"})
	return &finding.Report{Engine: "lint", Rules: []finding.Rule{rule}, Results: []finding.Result{result}}
}
