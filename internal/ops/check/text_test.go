package check

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A display is a terminal for tests.
type display struct {
	bytes.Buffer
	color, blocks bool
	columns       int
}

func (d *display) Color() bool  { return d.color }
func (d *display) Blocks() bool { return d.blocks }
func (d *display) Columns() int { return d.columns }

// TestAreas shows areas in a pipe, and on terminals with a bar for the grade.
func TestAreas(t *testing.T) {
	graded := Area{Name: "protocol", State: Graded, Grade: "C", About: "1 error, 11 from the SDK",
		Evidence: "99 of 99 checks of 2025-11-25"}
	none := Area{Name: "robustness", State: NotTested, About: "the server has no tools"}
	for _, c := range []struct {
		name string
		on   display
		area Area
		want string
	}{
		{"pipe", display{blocks: true}, graded,
			"C  protocol    1 error, 11 from the SDK (99 of 99 checks of 2025-11-25)\n"},
		{"blocks", display{color: true, blocks: true, columns: 80}, graded,
			"\x1b[1;33mC  ███░░\x1b[0m  protocol    1 error, 11 from the SDK (99 of 99 checks of 2025-11-25)\n"},
		{"narrow ASCII", display{color: true, columns: 60}, graded,
			"\x1b[1;33mC  ###--\x1b[0m  protocol    1 error, 11 from the SDK (99 of 99\n" +
				"                      checks of 2025-11-25)\n"},
		{"no grade", display{color: true, blocks: true, columns: 80}, none,
			"\x1b[1;33m–  ░░░░░\x1b[0m  robustness  not tested: the server has no tools\n"},
	} {
		area(workbench.NewText(&c.on), c.area)
		if got := c.on.String(); got != c.want {
			t.Errorf("%s:\n%q, expected\n%q", c.name, got, c.want)
		}
	}
}

// TestVerboseListsAll wants every finding in the text, also further ones of a cause, information and those of the SDK.
func TestVerboseListsAll(t *testing.T) {
	all := []finding.Finding{
		{Rule: "FUZZ-004", Severity: finding.Error, Message: "accepted 101", Where: finding.Location{Subject: "a"}},
		{Rule: "FUZZ-004", Severity: finding.Error, Message: "accepted -1", Where: finding.Location{Subject: "a"}},
		{Rule: "TOOL-010", Severity: finding.Error, Message: "call succeeded", Where: finding.Location{Subject: "b"}},
		{Rule: "RUN-001", Severity: finding.Info, Message: "not checked"},
		{Rule: "RPC-016", Severity: finding.Warning, Message: "ping was served", Origin: "FastMCP"},
	}
	for verbose, want := range map[bool][]string{
		false: {"a: accepted 101", "also: b", "same cause: TOOL-010"},
		true: {"a: accepted 101", "also: FUZZ-004  a: accepted -1", "also: TOOL-010  b: call succeeded",
			"Information:\n  RUN-001  not checked", "RPC-016  ping was served"},
	} {
		r := &finding.Report{Results: []finding.Result{{Findings: all}}}
		k := &checkRun{in: &Input{}, report: r, result: &Result{ReportResult: workbench.ReportResult{Report: r},
			verbose: verbose, SDK: &sdk.SDK{}, area: map[string]string{}}}
		k.conclude(&gate{severity: finding.Error})
		var out strings.Builder
		if err := writeCheck(&out, k.result); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(out.String(), text) {
				t.Errorf("verbose %v: missing %q in\n%s", verbose, text, out.String())
			}
		}
		if listed := strings.Contains(out.String(), "accepted -1"); listed != verbose {
			t.Errorf("verbose %v: each finding is listed: %v", verbose, listed)
		}
	}
}

// TestCountFindings wants counts that do not contradict themselves.
func TestCountFindings(t *testing.T) {
	own := finding.Finding{Rule: "P-1", Severity: finding.Error}
	foreign := finding.Finding{Rule: "P-1", Severity: finding.Error, Origin: "FastMCP"}
	advice := finding.Finding{Rule: "SCH-001", Severity: finding.Warning}
	for want, findings := range map[string][]finding.Finding{
		"no findings":    nil,
		"2 from the SDK": {foreign, foreign},
		"1 error":        {own},
		"1 error, 1 from the SDK, 1 advisory warning": {own, foreign, advice},
		"1 advisory warning":                          {advice},
	} {
		if got := countFindings(findings); got != want {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
}
