package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// found makes a report of findings, written as "SEVERITY RULE SUBJECT".
func found(lines ...string) *finding.Report {
	r := &finding.Report{Metrics: map[string]float64{"tools": 4}}
	for _, line := range lines {
		f := strings.Fields(line + " _")
		r.Results = append(r.Results, finding.Result{Rule: f[1],
			Findings: []finding.Finding{{Rule: f[1], Severity: finding.Severity(f[0]),
				Where: finding.Location{Subject: strings.Trim(f[2], "_")}}}})
	}
	return r
}

// Each condition of --fail-on fails a check by itself. Advice fails only where its rule is named.
func TestGate(t *testing.T) {
	clean, warned, wrong, advised := found(), found("warning A-1"), found("warning A-1", "error B-1"),
		found("warning SCH-002 t")
	robust := []Area{{Name: "robustness", State: Graded, Grade: "C"}, {Name: "schemas", State: NotTested}}
	for _, c := range []struct {
		conditions string
		r          *finding.Report
		grade      string
		fails      bool
	}{
		{"", clean, "A", false}, {"", warned, "B", false}, {"", wrong, "C", true},
		{"", found("critical C-1"), "F", true},
		{"", found("info I-1"), "A", false}, {"", advised, "A", false},
		{"error", wrong, "C", true}, {"error", warned, "B", false}, {"critical", wrong, "C", false},
		{"warning", clean, "A", false}, {"warning", warned, "B", true}, {"warning", found("info I-1"), "A", false},
		{"warning", advised, "A", false},
		{"grade:B", warned, "B", false}, {"grade:B", clean, "C", true}, {"grade:b", clean, "C", true},
		{"grade:A", clean, "B", true},
		{"grade:F", found("critical C-1"), "F", false}, {"grade:B", clean, "", false},
		{"SCH", advised, "A", true}, {"SCH-002", advised, "A", true}, {"TOOL-009", advised, "A", false},
		{"TOOL-009,grade:A", clean, "B", true},
		{"area:robustness", clean, "C", true}, {"area:robustness:C", clean, "C", false},
		{"area:schemas", clean, "C", true},
		{"area:protocol", clean, "C", true},
	} {
		g, err := parseGate([]string{c.conditions}, engines.IsRulePattern)
		if err != nil {
			t.Errorf("--fail-on %q: %v", c.conditions, err)
			continue
		}
		why, fails := g.fails(&Result{ReportResult: workbench.ReportResult{Report: c.r}, Grade: c.grade, Areas: robust})
		if fails != c.fails || fails != (why != "") {
			t.Errorf("--fail-on %q with grade %s and %v: fails %v (%s), want %v", c.conditions, c.grade, c.r.Findings(),
				fails, why, c.fails)
		}
	}
	for _, conditions := range []string{"grade:", "grade:E", "grade:AB", "A", "Error", "area:", "area:x",
		"area:schemas:E", "NONE-001", "error,NONE"} {
		if _, err := parseGate([]string{conditions}, engines.IsRulePattern); err == nil {
			t.Errorf("--fail-on %q is accepted", conditions)
		}
	}
}

// The formula of docs/check.md.
func TestGradeOf(t *testing.T) {
	for _, c := range []struct {
		findings []string
		want     string
	}{
		{nil, "A"}, {[]string{"info A-1 t"}, "A"},
		{[]string{"warning SCH-001 t", "warning SCH-002 t", "warning SCH-004 t", "warning SCH-004 u"}, "A"},
		{[]string{"warning QUAL-001 t"}, "B"},
		{[]string{"error SCH-002 t"}, "C"}, {[]string{"critical SCH-003 t"}, "C"},
		{[]string{"error TOOL-001 t", "error TOOL-001 u", "error TOOL-001 v", "error TOOL-001 w"}, "C"},
		{[]string{"error TOOL-001", "error TOOL-002"}, "C"},
		{[]string{"error TOOL-001", "error TOOL-002", "error TOOL-003"}, "D"},
		{[]string{"error FUZZ-002 t"}, "D"}, {[]string{"error FUZZ-002 t", "warning A-1"}, "D"},
		{[]string{"critical FUZZ-001 t", "warning A-1"}, "F"}, {[]string{"critical SEC-001 t"}, "F"},
	} {
		if got := gradeOf(found(c.findings...).Findings()); got != c.want {
			t.Errorf("%q: grade %s, want %s", c.findings, got, c.want)
		}
	}
}

// How much must be tested for a grade.
func TestEvidence(t *testing.T) {
	checks := func(passed, broken int) *finding.Report {
		r := &finding.Report{Results: []finding.Result{{Rule: "S-1", Skipped: "not declared"}}}
		for range passed {
			r.Results = append(r.Results, finding.Result{Rule: "P-1"})
		}
		for range broken {
			r.Results = append(r.Results, finding.Result{Rule: "B-1", Broken: "the server exited"})
		}
		return r
	}
	for _, c := range []struct {
		passed, broken int
		state          AreaState
		enough         bool
	}{{100, 0, Graded, true}, {10, 0, Graded, true}, {9, 0, Incomplete, false}, {90, 10, Incomplete, true},
		{89, 11, Incomplete, false}, {0, 50, Incomplete, false}} {
		area, enough := protocolEvidence(checks(c.passed, c.broken), nil)
		if area.State != c.state || enough != c.enough ||
			area.Evidence != fmt.Sprintf("%d of %d checks", c.passed, c.passed+c.broken) {
			t.Errorf("%d passed, %d broken: %+v, enough %v", c.passed, c.broken, area, enough)
		}
	}
	// a check in which the SDK ends the server: nothing was left to test, unless it is not that SDK
	lost := checks(100, 1)
	lost.Results = append(lost.Results, finding.Result{Rule: "RUN-002", Findings: []finding.Finding{{Rule: "RUN-002", Severity: finding.Error,
		Message: "server lost during CANCEL-004: the server exited with status 1", Where: finding.Location{Subject: "CANCEL-004"}}}})
	lost.Results[len(lost.Results)-2].Rule = "CANCEL-004"
	for library, want := range map[*sdk.SDK]AreaState{{Name: sdk.FastMCP, Version: "3.4.10", Certain: true}: Graded,
		{Name: sdk.FastMCP, Version: "4.1.2", Certain: true}: Incomplete, {Name: sdk.FastMCP, Version: "3.4.10"}: Incomplete, nil: Incomplete} {
		if area, _ := protocolEvidence(lost, library); area.State != want || area.Evidence != "101 of 102 checks" {
			t.Errorf("a check that lost the server with %v: %+v, want %s", library, area, want)
		}
	}
	for _, c := range []struct {
		record callRecord
		want   Area
	}{
		{callRecord{calls: 300, called: 4, tools: 4}, Area{State: Graded, Evidence: "300 calls to 4 of 4 tools"}},
		{callRecord{calls: 300, called: 1, tools: 4},
			Area{State: Graded, Evidence: "300 calls to 1 of 4 tools", Partial: "less than 50 % of the tools were called"}},
		{callRecord{calls: 31, called: 4, tools: 4, late: true}, Area{State: Graded,
			Evidence: "31 of 300 calls to 4 of 4 tools", Partial: "31 of 300 calls within the time limit"}},
		{callRecord{calls: 40, called: 4, tools: 4, late: true}, Area{State: Graded,
			Evidence: "40 of 300 calls to 4 of 4 tools"}},
		{callRecord{calls: 31, called: 4, tools: 4}, Area{State: Graded, Evidence: "31 calls to 4 of 4 tools"}},
		{callRecord{calls: 300, called: 4, tools: 4, onlyErrors: true}, Area{State: NotTested,
			Evidence: "300 calls to 4 of 4 tools",
			About:    "no call succeeded, so only the rejection of arguments was tested"}},
		{callRecord{tools: 4}, Area{State: NotTested, Evidence: "no calls",
			About: "none of 4 tools may be called without permission", Partial: "less than 50 % of the tools were called"}},
		{callRecord{calls: 9, called: 1, tools: 1},
			Area{State: Incomplete, Evidence: "9 calls to 1 of 1 tool",
				About: "too few calls within the time limit"}},
		{callRecord{calls: 3, called: 1, tools: 1, limited: true},
			Area{State: Incomplete, Evidence: "3 calls to 1 of 1 tool",
				About: "too few calls: the tools affect external systems (openWorldHint) and are called only a few times; " +
					"use --tools NAME to call one more often"}},
		{callRecord{calls: 12, called: 13, tools: 13},
			Area{State: Incomplete, Evidence: "12 calls to 12 of 13 tools",
				About: "too few calls within the time limit"}},
		{callRecord{calls: 300, called: 2, tools: 2, suspects: []string{"slow"}},
			Area{State: Incomplete, Evidence: "300 calls to 2 of 2 tools",
				About: "slow did not respond to a call in time"}},
		{callRecord{calls: 300, called: 2, tools: 2, ended: "the server exited"},
			Area{State: Incomplete, Evidence: "300 calls to 2 of 2 tools", About: "the server exited"}},
	} {
		c.want.Name = "robustness"
		if area, enough := robustnessEvidence(c.record); area != c.want || enough != (c.want.State == Graded) {
			t.Errorf("%+v:\n%+v, enough %v, want\n%+v", c.record, area, enough, c.want)
		}
	}
}

// The server's grade is the worst of its areas. An A needs every area that applies; without evidence there is no grade,
// unless what was found is bad enough for a C.
func TestServerGrade(t *testing.T) {
	graded := func(name string) Area { return Area{Name: name, State: Graded, Grade: "?"} }
	for _, c := range []struct {
		what  string
		areas []Area
		r     *finding.Report
		want  string
		line  string
	}{
		{"all tested", []Area{graded("protocol"), graded("schemas"), graded("robustness")}, found(), "A",
			"passed, grade A"},
		{"a warning", []Area{graded("protocol"), graded("schemas")}, found("warning P-1"), "B", "passed, grade B"},
		{"an error", []Area{graded("protocol"), graded("schemas")}, found("error P-1"), "C", "failed, grade C"},
		{"no tools at all", []Area{graded("protocol"), {Name: "schemas", State: NotTested, absent: true},
			{Name: "robustness", State: NotTested, absent: true}},
			found(), "A", "passed, grade A; schemas not tested, robustness not tested"},
		{"writing tools", []Area{graded("protocol"), graded("schemas"), {Name: "robustness", State: NotTested}},
			found(), "B", "passed, grade B; robustness not tested"},
		{"few tools called", []Area{graded("protocol"),
			{Name: "robustness", State: Graded, Grade: "?", Partial: "31 of 300 calls"}}, found(), "B",
			"passed, grade B"},
		{"some checks missing", []Area{{Name: "protocol", State: Incomplete, Grade: "?"}, graded("schemas")},
			found(), "B", "incomplete, grade B; protocol incomplete"},
		{"most checks missing", []Area{{Name: "protocol", State: Incomplete}, graded("schemas")}, found(), "",
			"incomplete, no grade; protocol incomplete"},
		{"an error before the end", []Area{{Name: "protocol", State: Incomplete}, graded("schemas")},
			found("error P-1"), "C", "failed, grade C; protocol incomplete"},
		{"a suspected hang", []Area{graded("protocol"), {Name: "robustness", State: Incomplete}}, found(), "",
			"incomplete, no grade; robustness incomplete"},
	} {
		k := &checkRun{in: &Input{}, report: c.r,
			result: &Result{ReportResult: workbench.ReportResult{Report: c.r}, Areas: c.areas,
				area: map[string]string{"P-1": "protocol"}}}
		k.conclude(&gate{severity: finding.Error})
		if k.result.Grade != c.want || k.result.sentence() != c.line {
			t.Errorf("%s: grade %q, %q; want %q, %q", c.what, k.result.Grade, k.result.sentence(), c.want, c.line)
		}
		if _, has := c.r.Metrics["grade"]; has != (c.want != "") {
			t.Errorf("%s: metrics %v", c.what, c.r.Metrics)
		}
	}
}

// A call that was silent for a while is no hang yet, unless it was waited for long enough, twice.
func TestSilenceIsNoHang(t *testing.T) {
	result := func(repeats bool) *fuzz.Result {
		return &fuzz.Result{Report: &finding.Report{Metrics: map[string]float64{"hangs": 1},
			Results: []finding.Result{{Rule: "FUZZ-001"},
				{Rule: hangRule, Findings: []finding.Finding{{Rule: hangRule,
					Where: finding.Location{Subject: "slow"}}}}}},
			Found: []*fuzz.Found{{Rule: finding.Rule{ID: "FUZZ-001"}},
				{Rule: finding.Rule{ID: hangRule}, Repeats: repeats}}}
	}
	for _, c := range []struct {
		hang    time.Duration
		repeats bool
		sdk     *sdk.SDK
		sure    bool
	}{{sureHang, true, nil, true}, {sureHang, false, nil, false}, {sureHang / 2, true, nil, false},
		{sureHang / 2, false, &sdk.SDK{Name: sdk.Python, Version: "2.3.0", Certain: true}, true}} {
		r := result(c.repeats)
		if c.sdk != nil {
			r.Report.Results[1].Findings[0].Evidence = []string{strings.Repeat(`{"a":`, 200)}
		}
		told := dropInconclusive(r, c.hang, c.sdk)
		if kept := len(r.Report.Findings()) == 1 && len(r.Found) == 2 && r.Report.Metrics["hangs"] == 1 &&
			len(told) == 0; kept != c.sure {
			t.Errorf("%+v: kept %v, told %q", c, kept, told)
		}
		if !c.sure && (len(told) != 1 || told[0] != "slow" || len(r.Found) != 1 || r.Report.Metrics["hangs"] != 0) {
			t.Errorf("%+v: told %q, found %v", c, told, r.Found)
		}
	}
}

// The most severe group comes first, then what breaks a server. Findings with one cause are one group.
func TestGroups(t *testing.T) {
	report := found("warning TOOL-001 t", "info LOG-001 t", "warning SCH-003 t", "error TOOL-002 t",
		"warning SCH-003 u", "error FUZZ-008 t",
		"warning FUZZ-007 t", "critical SEC-001 t", "error TOOL-010 v", "error FUZZ-004 t", "warning SCH-002 t",
		"warning SCH-002 u", "warning TOOL-009")
	report.Results[len(report.Results)-1].Findings[0].Origin = "TypeScript SDK 1.32.2"
	report.Rules = []finding.Rule{{ID: "FUZZ-004", Doc: "Arguments are accepted.\n\nIt matters. Much."}}
	r := &Result{ReportResult: workbench.ReportResult{Report: report},
		SDK: &sdk.SDK{Name: sdk.TypeScript, Version: "1.32.2", Certain: true},
		area: map[string]string{"TOOL-001": "protocol", "TOOL-002": "protocol", "TOOL-009": "protocol",
			"TOOL-010": "protocol", "SCH-002": "schemas",
			"SCH-003": "schemas", "SEC-001": "schemas", "FUZZ-004": "robustness", "FUZZ-007": "robustness",
			"FUZZ-008": "robustness"}}
	var got []string
	all := r.groups()
	for _, g := range all {
		got = append(got, strings.Join(append([]string{g.Rule}, g.Also...), "+"))
	}
	if want := "SEC-001 FUZZ-008 TOOL-002 TOOL-010+FUZZ-004 FUZZ-007 TOOL-001 TOOL-009 SCH-003 SCH-002"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
	accepted, of, advises := all[3], all[6], all[8]
	if accepted.Findings != 2 || !slices.Equal(accepted.Subjects, []string{"v", "t"}) || accepted.Fix == "" ||
		!strings.Contains(accepted.Snippet, "registerTool") ||
		!strings.HasSuffix(accepted.Link, "/rules/TOOL-010.html") {
		t.Errorf("%+v", accepted)
	}
	if of.Origin != "TypeScript SDK 1.32.2" || !strings.Contains(of.Reported, "typescript-sdk/issues/") ||
		!advises.Advises || advises.Findings != 2 {
		t.Errorf("%+v\n%+v", of, advises)
	}
}

// Findings that the SDK causes fail a check and lower its grade only where that is asked for; an error of it is no A.
func TestFindingsOfTheSDK(t *testing.T) {
	report := found("error RPC-005", "warning LIFE-010")
	c := &checkRun{report: report, result: &Result{SDK: &sdk.SDK{Name: sdk.Go, Version: "1.8.0", Certain: true}}}
	c.attribute()
	if f := report.Findings(); f[0].Origin != "Go SDK 1.8.0" || f[1].Origin != "Go SDK 1.8.0" {
		t.Fatalf("%+v", f)
	}
	if grade := gradeOf(report.Findings()); grade != "B" {
		t.Errorf("grade %s, want B", grade)
	}
	if grade := gradeOf(report.Findings()[1:]); grade != "A" {
		t.Errorf("grade %s for a warning, want A", grade)
	}
	for condition, want := range map[string]bool{"": false, "warning": false, "sdk": true, "sdk,critical": false,
		"RPC-005": true} {
		g, err := parseGate([]string{condition}, engines.IsRulePattern)
		if err != nil {
			t.Fatal(err)
		}
		if _, fails := g.fails(&Result{ReportResult: workbench.ReportResult{Report: report},
			Grade: "B"}); fails != want {
			t.Errorf("--fail-on %q: fails %v, want %v", condition, fails, want)
		}
	}
	inferred := found("error RPC-005", "warning LIFE-010")
	c = &checkRun{report: inferred, result: &Result{SDK: &sdk.SDK{Name: sdk.Go}}}
	if c.attribute(); inferred.Findings()[0].Origin != "" || inferred.Findings()[1].Origin == "" {
		t.Errorf("an SDK that was only inferred excuses an error: %+v", inferred.Findings())
	}
}

// A server that rejects an unknown cursor in one list has handlers of its own, so the SDK is no excuse for the others.
func TestOwnCursors(t *testing.T) {
	for _, rejects := range []bool{false, true} {
		report := found("warning TMPL-003", "warning RPC-016")
		if rejects {
			report.Results = append(report.Results, finding.Result{Rule: "TOOL-004"})
		} else {
			report.Results = append(report.Results, finding.Result{Rule: "TOOL-004", Skipped: "no tools"})
		}
		c := &checkRun{report: report, result: &Result{SDK: &sdk.SDK{Name: sdk.TypeScript, Version: "1.32.2", Certain: true}}}
		c.attribute()
		if f := report.Findings(); (f[0].Origin == "") != rejects || f[1].Origin == "" {
			t.Errorf("rejects an unknown cursor in tools/list: %v: %+v", rejects, f)
		}
	}
}

// A server with a list in pages reads cursors itself.
func TestOwnPages(t *testing.T) {
	for pages := 1; pages <= 2; pages++ {
		report := found("warning TOOL-004", "warning RPC-016")
		c := &checkRun{report: report, result: &Result{SDK: &sdk.SDK{Name: sdk.Python, Version: "2.3.0", Certain: true}},
			surface: &mcp.Surface{Tools: &mcp.List{Pages: make([]*mcp.Exchange, pages)}}}
		c.attribute()
		if f := report.Findings(); (f[0].Origin == "") != (pages == 2) || f[1].Origin == "" {
			t.Errorf("%d pages: %+v", pages, f)
		}
	}
}

// What to run next follows from where something was found.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		r     *finding.Report
		fixes bool
		next  string
	}{
		{found(), false, "mcptest init demo; mcptest inspect demo"},
		{found("info SCH-1 t"), false, "mcptest init demo; mcptest inspect demo"},
		{found("warning SCH-1 t"), false, "mcptest schema-lint demo"},
		{found("warning SCH-1 t"), true, "mcptest schema-lint --fix demo"},
		{found("warning SCH-1 t", "error FUZZ-1 t", "error TOOL-1 t"), true,
			"mcptest schema-lint --fix demo; mcptest fuzz --out found demo; mcptest conform --verbose demo"},
	} {
		if c.fixes {
			c.r.Results[0].Findings[0].Fixes = []finding.Fix{{Message: "fix it"}}
		}
		k := &checkRun{in: &Input{Connection: workbench.Connection{Target: "demo"}}, report: c.r,
			result: &Result{ReportResult: workbench.ReportResult{Report: c.r},
				area: map[string]string{"SCH-1": "schemas", "FUZZ-1": "robustness", "TOOL-1": "protocol"}}}
		k.next()
		if got := strings.Join(k.result.Next, "; "); got != c.next {
			t.Errorf("%v: next %q, want %q", c.r.Findings(), got, c.next)
		}
	}
}

// A narrow is a terminal of some columns.
type narrow struct {
	strings.Builder
	columns int
}

func (n *narrow) Columns() int { return n.columns }

// A terminal gets findings in its columns, with a command that continues after a backslash; a pipe gets one line for
// each.
func TestFindingsInColumns(t *testing.T) {
	first := finding.Finding{Rule: "X-1", Severity: finding.Error,
		Message:   "a message that goes on for longer than forty columns",
		Reproduce: "mcptest tools call something -- node server.js"}
	r := &Result{ReportResult: workbench.ReportResult{Report: &finding.Report{Rules: []finding.Rule{{ID: "X-1",
		Doc: "A title that goes on for longer than forty columns."}},
		Results: []finding.Result{{Rule: "X-1", Findings: []finding.Finding{first}}}}}}
	end := "          see: https://mcptest-dev.github.io/mcptest/rules/X-1.html\n" +
		"          mcptest tools call something -- node server.js\n\n"
	for columns, want := range map[int]string{
		0: "error     X-1  A title that goes on for longer than forty columns\n" +
			"          a message that goes on for longer than forty columns\n" + end,
		40: "error     X-1  A title that goes on for\n            longer than forty columns\n" +
			"          a message that goes on for\n            longer than forty columns\n" +
			"          see: mcptest explain X-1\n" +
			"          mcptest tools call something \\\n              -- node server.js\n\n",
	} {
		out := &narrow{columns: columns}
		group(workbench.NewText(out), r.groups()[0], false)
		if out.String() != want {
			t.Errorf("in %d columns:\n%s\nwant\n%s", columns, out, want)
		}
		if out.Reset(); workbench.WriteReport(out, &r.ReportResult) != nil ||
			strings.Contains(out.String(), "forty columns\n") == (columns > 0) {
			t.Errorf("the report in %d columns:\n%s", columns, out)
		}
	}
}

// What was not tested of a slow tool is stated with the tool and the command that tests it.
func TestSlowNote(t *testing.T) {
	for want, tool := range map[string]fuzz.SlowTool{
		"more arguments of report: the tool is slow, and 3 calls took 4.2s (use mcptest fuzz --tool report to run all " +
			"cases)": {Name: "report", Calls: 3, Spent: 4200 * time.Millisecond},
		"valid arguments of report: a call takes too long for this check (use mcptest fuzz --tool report to run all " +
			"cases)": {Name: "report", Calls: 3, Spent: 4200 * time.Millisecond, OnlyInvalid: true},
	} {
		if got := slowNote(tool); got != want {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
}

// Of a tool whose calls all failed, the first message is shown in one line and without secrets.
func TestFailingNote(t *testing.T) {
	want := "the results of get_item: none of 43 valid calls succeeded, the first failed with: no such item, try another [redacted]"
	if got := failingNote(fuzz.FailingTool{Name: "get_item", Calls: 43, Said: "no such item,\n  try another zq81Kp02LmW3xT"},
		redact.New("zq81Kp02LmW3xT")); got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
}

// A tool for which there are no valid arguments is named with the reason.
func TestUncalledNote(t *testing.T) {
	_, err := cases.NewGenerator("get_repo", json.RawMessage(`{"type":"object","properties":{"repo":{"type":"string"}},`+
		`"required":["repo_name"],"additionalProperties":false}`), 1, cases.Care{})
	if err == nil {
		t.Fatal("arguments were generated")
	}
	want := "get_repo, which was never called: no valid arguments could be generated (repo_name: the schema allows no value)"
	if got := uncalledNote(fuzz.UncalledTool{Name: "get_repo", Why: err}); got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
}

// Without findings, the reason names the areas that were not tested enough for an A.
func TestReasonOfMissingTests(t *testing.T) {
	for want, robustness := range map[string]Area{
		"":           {State: NotTested, absent: true},
		"not tested": {State: NotTested},
		"incomplete": {State: Incomplete, Grade: "?"},
		"less than 50 % of the tools were called": {State: Graded, Grade: "?", Partial: "less than 50 % of the tools were called"},
	} {
		if robustness.Name = "robustness"; want != "" {
			want = "The grade is limited to B by missing tests: robustness (" + want + ")"
		}
		k := &checkRun{in: &Input{}, report: found(), result: &Result{
			ReportResult: workbench.ReportResult{Report: found()},
			Areas:        []Area{{Name: "protocol", State: Graded, Grade: "?"}, robustness}}}
		if k.conclude(&gate{severity: finding.Error}); k.result.Reason != want {
			t.Errorf("got %q, expected %q", k.result.Reason, want)
		}
	}
}

// The reason names what limits the grade, where it was found.
func TestReasonOfAGrade(t *testing.T) {
	for _, c := range []struct {
		found *finding.Report
		want  string
	}{
		{found(), ""},
		{found("info P-1"), ""},
		{found("warning P-1"), "The grade is limited to B by a warning: protocol (P-1)"},
		{found("error P-1", "warning S-1"), "The grade is limited to C by an error: protocol (P-1)"},
		{found("error P-1", "error P-1", "error S-1"), "The grade is limited to C by errors: protocol (P-1), schemas (S-1)"},
		{found("error P-1", "error P-2", "error P-3", "error P-4"),
			"The grade is limited to D by errors: protocol (P-1, P-2, P-3 and 1 more)"},
		{found("critical S-1", "error P-1"), "The grade is limited to F by a critical finding: schemas (S-1)"},
	} {
		k := &checkRun{in: &Input{}, report: c.found,
			result: &Result{ReportResult: workbench.ReportResult{Report: c.found},
				Areas: []Area{{Name: "protocol", State: Graded, Grade: "?"}, {Name: "schemas", State: Graded, Grade: "?"}},
				area: map[string]string{"P-1": "protocol", "P-2": "protocol", "P-3": "protocol", "P-4": "protocol",
					"S-1": "schemas"}}}
		if k.conclude(&gate{severity: finding.Error}); k.result.Reason != c.want {
			t.Errorf("got %q, expected %q", k.result.Reason, c.want)
		}
	}
}
