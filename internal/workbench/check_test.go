package workbench

import (
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// found makes a report of findings, written as "SEVERITY RULE SUBJECT".
func found(lines ...string) *finding.Report {
	r := &finding.Report{Metrics: map[string]float64{"tools": 4}}
	for _, line := range lines {
		f := strings.Fields(line + " _")
		r.Results = append(r.Results, finding.Result{Rule: f[1], Findings: []finding.Finding{{Rule: f[1], Severity: finding.Severity(f[0]), Where: finding.Location{Subject: strings.Trim(f[2], "_")}}}})
	}
	return r
}

// What makes a check fail is what --fail-on says, and what could not be judged always does, unless a grade is asked for.
func TestFailOn(t *testing.T) {
	clean, warned, wrong, grave := found(), found("warning A"), found("warning A", "error B"), found("critical C")
	broken := &finding.Report{Results: []finding.Result{{Rule: "A", Broken: "the server died"}}}
	for _, c := range []struct {
		level string
		r     *finding.Report
		grade string
		fails bool
	}{
		{"", clean, "A", false}, {"", warned, "B", false}, {"", wrong, "C", true}, {"", grave, "F", true}, {"", broken, "A", true}, {"", found("info I"), "A", false},
		{"error", wrong, "A", true}, {"error", warned, "F", false},
		{"warning", clean, "A", false}, {"warning", warned, "A", true}, {"warning", found("info I"), "A", false}, {"warning", broken, "A", true},
		{"grade:B", wrong, "A", false}, {"grade:B", wrong, "B", false}, {"grade:B", clean, "C", true}, {"grade:b", clean, "C", true}, {"grade:A", clean, "B", true}, {"grade:F", grave, "F", false},
	} {
		fails, err := failing(c.level)
		if err != nil {
			t.Errorf("--fail-on %q: %v", c.level, err)
			continue
		}
		if got := fails(&CheckResult{Judged: Judged{Report: c.r}, Grade: c.grade}); got != c.fails {
			t.Errorf("--fail-on %q with grade %s and %v: fails %v, want %v", c.level, c.grade, c.r.Findings(), got, c.fails)
		}
	}
	for _, level := range []string{"grade:", "grade:E", "grade:AB", "critical", "A", "Error"} {
		if _, err := failing(level); err == nil {
			t.Errorf("--fail-on %q is accepted", level)
		}
	}
}

// The formula of docs/check.md: a tool with an error is a fault, one with a warning half of one; an A is for no error at all.
func TestLintGrade(t *testing.T) {
	for _, c := range []struct {
		r     *finding.Report
		score int
		grade string
	}{
		{found(), 100, "A"},
		{found("warning A one"), 87, "C"},
		{found("warning A one", "warning B one", "info C two"), 87, "C"},
		{found("error A one"), 75, "C"},
		{found("warning A one", "error B one"), 75, "C"},
		{found("critical A one", "warning B two"), 62, "D"},
		{found("error A one", "error A two", "error A three", "error A four"), 0, "F"},
		{found("info A one"), 100, "A"},
		{found("warning A"), 100, "A"},
		{&finding.Report{Metrics: map[string]float64{"tools": 0}}, 100, "A"},
	} {
		score := lintScore(c.r)
		if grade := gradeOf(score, hasError(c.r)); score != c.score || grade != c.grade {
			t.Errorf("%v: %d, %s; want %d, %s", c.r.Findings(), score, grade, c.score, c.grade)
		}
	}
	for _, c := range []struct {
		score  int
		errors bool
		want   string
	}{{90, false, "A"}, {90, true, "B"}, {89, false, "C"}, {75, true, "C"}, {74, false, "D"}, {50, false, "D"}, {49, false, "F"}} {
		if got := gradeOf(c.score, c.errors); got != c.want {
			t.Errorf("gradeOf(%d, %v) = %s, want %s", c.score, c.errors, got, c.want)
		}
	}
}

func TestFuzzGrade(t *testing.T) {
	broken := func(rule string, severity finding.Severity) *fuzz.Found {
		return &fuzz.Found{Rule: finding.Rule{ID: rule}, Severity: severity, Repeats: true}
	}
	crash, hang, wrong, odd := broken("FUZZ-001", finding.Critical), broken("FUZZ-002", finding.Error), broken("FUZZ-004", finding.Error), broken("FUZZ-008", finding.Warning)
	for _, c := range []struct {
		found []*fuzz.Found
		want  string
	}{{nil, "A"}, {[]*fuzz.Found{odd}, "B"}, {[]*fuzz.Found{wrong, odd}, "C"}, {[]*fuzz.Found{hang, wrong}, "D"}, {[]*fuzz.Found{odd, crash, hang}, "F"}} {
		if got := fuzzGrade(&fuzz.Result{Found: c.found}); got != c.want {
			t.Errorf("%d defects: grade %s, want %s", len(c.found), got, c.want)
		}
	}
}

// A call that was silent for a while is no hang yet, unless it was waited for long enough, twice.
func TestSilenceIsNoHang(t *testing.T) {
	result := func(repeats bool) *fuzz.Result {
		return &fuzz.Result{Report: &finding.Report{Metrics: map[string]float64{"hangs": 1}, Results: []finding.Result{{Rule: "FUZZ-001"},
			{Rule: silentRule, Findings: []finding.Finding{{Rule: silentRule, Where: finding.Location{Subject: "slow"}}}}}},
			Found: []*fuzz.Found{{Rule: finding.Rule{ID: "FUZZ-001"}}, {Rule: finding.Rule{ID: silentRule}, Repeats: repeats}}}
	}
	for _, c := range []struct {
		hang    time.Duration
		repeats bool
		sure    bool
	}{{longestHang, true, true}, {longestHang, false, false}, {longestHang / 2, true, false}} {
		r := result(c.repeats)
		told := leaveUnsure(r, c.hang)
		if kept := len(r.Report.Findings()) == 1 && len(r.Found) == 2 && r.Report.Metrics["hangs"] == 1 && len(told) == 0; kept != c.sure {
			t.Errorf("%+v: kept %v, told %q", c, kept, told)
		}
		if !c.sure && (len(told) != 1 || !strings.Contains(told[0], "whether slow always answers") || len(r.Found) != 1 || r.Report.Metrics["hangs"] != 0) {
			t.Errorf("%+v: told %q, found %v", c, told, r.Found)
		}
	}
}

// The gravest come first, then those of the area with the worst grade, then what breaks a server.
func TestFindingsThatMatterFirst(t *testing.T) {
	r := &CheckResult{Judged: Judged{Report: found("warning TOOL-1 t", "info INFO-1 t", "warning SCH-1 t", "error TOOL-2 t", "warning SCH-1 u", "error FUZZ-4 t", "warning FUZZ-8 t", "critical SEC-1 t")},
		Areas: []CheckArea{{Name: "protocol", Grade: "C"}, {Name: "schemas", Grade: "D"}, {Name: "robustness", Grade: "C"}},
		area:  map[string]string{"TOOL-1": "protocol", "TOOL-2": "protocol", "SCH-1": "schemas", "SEC-1": "schemas", "FUZZ-4": "robustness", "FUZZ-8": "robustness"}}
	var got []string
	for _, g := range r.grouped() {
		got = append(got, g.rule.ID)
	}
	if want := "SEC-1 FUZZ-4 TOOL-2 SCH-1 FUZZ-8 TOOL-1"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
}

// The server's grade is the worst of its areas, and what comes next follows from where something was found.
func TestConclude(t *testing.T) {
	for _, c := range []struct {
		r     *finding.Report
		fixes bool
		next  string
	}{
		{found(), false, "mcptest init demo; mcptest inspect demo"},
		{found("info SCH-1 t"), false, "mcptest init demo; mcptest inspect demo"},
		{found("warning SCH-1 t"), false, "mcptest schema-lint demo"},
		{found("warning SCH-1 t"), true, "mcptest schema-lint --fix demo"},
		{found("warning SCH-1 t", "error FUZZ-1 t", "error TOOL-1 t"), true, "mcptest schema-lint --fix demo; mcptest fuzz --out found demo; mcptest conform --verbose demo"},
	} {
		if c.fixes {
			c.r.Results[0].Findings[0].Fixes = []finding.Fix{{Message: "mend it"}}
		}
		k := &checking{in: &CheckInput{Connection: Connection{Target: "demo"}}, report: c.r, result: &CheckResult{
			Areas: []CheckArea{{Name: "protocol", Grade: "B"}, {Name: "schemas", Grade: "D"}, {Name: "robustness", Grade: "A"}},
			area:  map[string]string{"SCH-1": "schemas", "FUZZ-1": "robustness", "TOOL-1": "protocol"}}}
		k.conclude()
		if got := strings.Join(k.result.Next, "; "); got != c.next {
			t.Errorf("%v: next %q, want %q", c.r.Findings(), got, c.next)
		}
		if k.result.Grade != "D" || c.r.Metrics["grade"] != 1 {
			t.Errorf("grade %s, %v; want D, 1", k.result.Grade, c.r.Metrics["grade"])
		}
	}
}

// What makes a check fail is told, also where no finding tells of it.
func TestCheckTellsWhatWasNotFinished(t *testing.T) {
	c := &checking{in: &CheckInput{}, result: &CheckResult{}, report: &finding.Report{Metrics: map[string]float64{}, Results: []finding.Result{
		{Rule: "A-001"}, {Rule: "A-002", Broken: "the time was over"}, {Rule: "A-003", Broken: "the same"},
	}}}
	c.conclude()
	got := strings.Join(c.result.NotTested, "\n")
	if want := "2 checks that could not be finished, which counts as a failure; the first is A-002: the time was over (--budget or within_ms gives more time)"; got != want {
		t.Errorf("not tested: %q, want %q", got, want)
	}
}

// A narrow is a terminal of some columns.
type narrow struct {
	strings.Builder
	columns int
}

func (n *narrow) Columns() int { return n.columns }

// A terminal gets findings in its columns, but a command in one line; a pipe gets one line for each.
func TestFindingsInColumns(t *testing.T) {
	g := findingGroup{rule: finding.Rule{ID: "X-1", Doc: "A title that goes on for longer than forty columns."}, findings: []finding.Finding{{
		Rule: "X-1", Severity: finding.Error, Message: "a message that goes on for longer than forty columns", Reproduce: "mcptest tools call something -- node server.js"}}}
	for columns, want := range map[int]string{
		0: "error     X-1  A title that goes on for longer than forty columns\n" +
			"          a message that goes on for longer than forty columns\n" +
			"          mcptest tools call something -- node server.js\n\n",
		40: "error     X-1  A title that goes on for\n            longer than forty columns\n" +
			"          a message that goes on for\n            longer than forty columns\n" +
			"          mcptest tools call something -- node server.js\n\n",
	} {
		out := &narrow{columns: columns}
		newText(out).group(g)
		if out.String() != want {
			t.Errorf("in %d columns:\n%s\nwant\n%s", columns, out, want)
		}
		r := &Judged{Report: &finding.Report{Results: []finding.Result{{Rule: "X-1", Findings: g.findings}}}}
		if out.Reset(); writeJudged(out, r) != nil || strings.Contains(out.String(), "forty columns\n") == (columns > 0) {
			t.Errorf("the report in %d columns:\n%s", columns, out)
		}
	}
}
