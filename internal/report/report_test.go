package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// sample has one of everything.
func sample() *finding.Report {
	return &finding.Report{
		Engine: "lint", Target: "demo-flawed", Version: "1.2.3", Started: time.Date(2026, 11, 15, 3, 0, 0, 0, time.UTC),
		Rules: []finding.Rule{
			{ID: "SCH-001", Doc: "An object without required\n\nA model leaves out what it may.",
				Severity: finding.Error, Spec: "https://example.com/spec#required"},
			{ID: "SCH-002", Doc: "Open object", Severity: finding.Warning},
			{ID: "SEC-U2", Doc: "Hidden text", Severity: finding.Critical},
			{ID: "QUAL-1", Doc: "Short description", Severity: finding.Info},
		},
		Results: []finding.Result{
			{Rule: "SCH-001", Elapsed: 12 * time.Millisecond, Findings: []finding.Finding{
				{
					Rule: "SCH-001", Severity: finding.Error,
					Message:   "required is missing: a and b may be left out, and the server cannot tell what was meant",
					Where:     finding.Location{Subject: "get-sum", Pointer: "/inputSchema", Frames: []int{3, 4}},
					Evidence:  []string{"sent {\"name\":\"get-sum\"}"},
					Calls:     []finding.Call{{Tool: "get-sum", Arguments: json.RawMessage(`{"a":1}`), Times: 2}},
					Reproduce: "mcptest tools call get-sum demo-flawed",
					Fixes: []finding.Fix{{Message: "require a and b",
						Edits: []finding.Edit{{Pointer: "/inputSchema/required",
							Value: json.RawMessage(`["a","b"]`)}}}},
				},
				{Rule: "SCH-001", Severity: finding.Error, Message: "required is missing",
					Where: finding.Location{Subject: "echo", Pointer: "/inputSchema", File: "dir name/tools.json",
						Line: 7}},
			}},
			{Rule: "SCH-002", Findings: []finding.Finding{
				{Rule: "SCH-002", Severity: finding.Warning, Message: "any property is accepted\nsecond line",
					Where: finding.Location{Subject: "get-sum", Pointer: "/inputSchema"}},
			}},
			{Rule: "SEC-U2", Findings: []finding.Finding{{Rule: "SEC-U2", Severity: finding.Critical,
				Message: "hidden text", Where: finding.Location{Subject: "get-sum", Pointer: "/description"}}}},
			{Rule: "QUAL-1", Findings: []finding.Finding{{Rule: "QUAL-1", Severity: finding.Info,
				Message: "the server has no instructions"}}},
			{Name: "passes", Elapsed: 1500 * time.Millisecond},
			{Name: "skipped one", Skipped: "needs sampling"},
			{Name: "broken one", Broken: "the server crashed: exit status 139",
				Where: &finding.Location{File: "a,b.yaml", Line: 7}},
		},
		Metrics: map[string]float64{"tools": 2},
	}
}

func render(t *testing.T, format string, r *finding.Report, o *Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r, o); err != nil {
		t.Fatalf("Write %s: %v", format, err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	stale := &Applied{Suppressed: 2, Stale: []Entry{{Rule: "SCH-002", Subject: "gone", Pointer: "/inputSchema"}}}
	cases := map[string]struct {
		format string
		o      *Options
	}{
		"wide.text":     {"text", &Options{Color: true, Width: 60, Verbose: true, Baseline: stale}},
		"linked.text":   {"text", &Options{Link: func(rule string) string { return "https://example.com/" + rule }}},
		"severe.text":   {"text", &Options{Severity: finding.Error}},
		"verbose.md":    {"markdown", &Options{Verbose: true, Baseline: stale}},
		"fallback.gh":   {"github", &Options{File: "mcp.json", Baseline: stale}},
		"baseline.json": {"json", &Options{Severity: finding.Critical, Baseline: stale}},
	}
	for _, format := range Formats {
		cases["sample."+format] = struct {
			format string
			o      *Options
		}{format, nil}
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			golden(t, name, render(t, test.format, sample(), test.o))
		})
	}
	for _, format := range Formats {
		golden(t, "empty."+format, render(t, format, &finding.Report{Engine: "lint", Target: "demo"}, nil))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, string(want)); diff != "" {
		t.Errorf("%s (-got +want):\n%s", name, diff)
	}
}

// nasty is what a server could put into a name or a message.
const nasty = "x\x1b[2J\x07\u202eevil\u2066\u200b\u2028\u009b\U000e0041\xff\r\n::error::forged\n| a | " +
	"<script>alert(1)</script> @team #1 [l](http://evil) `c` *b* 50% www.evil.example \\"

func hostile() *finding.Report {
	return &finding.Report{
		Engine: nasty, Target: nasty, Version: nasty, Rules: []finding.Rule{{ID: nasty, Doc: nasty}},
		Results: []finding.Result{
			{Rule: nasty, Name: nasty, Findings: []finding.Finding{{
				Rule: nasty, Severity: finding.Error, Message: nasty,
				Where: finding.Location{Subject: nasty, Pointer: nasty, File: nasty, Line: 1},
				Fixes: []finding.Fix{{Message: nasty}}, Evidence: []string{nasty}, Reproduce: nasty,
				Calls: []finding.Call{{Tool: nasty, Arguments: rawjson.Quote(nasty)}},
			}}},
			{Name: nasty, Broken: nasty}, {Name: nasty, Skipped: nasty},
		},
	}
}

var harmful = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{e0000}-\x{e007f}]`)

func TestHostileText(t *testing.T) {
	stale := &Applied{Suppressed: 1, Stale: []Entry{{Rule: nasty, Subject: nasty, Pointer: nasty}}}
	for _, format := range Formats {
		got := render(t, format, hostile(), &Options{Verbose: true, Baseline: stale})
		if found := harmful.FindString(got); found != "" {
			t.Errorf("%s lets %q through:\n%q", format, found, got)
		}
	}
	if got := render(t, "text", hostile(), nil); !strings.Contains(got, `\x1b[2J\x07\u{202e}evil`) {
		t.Errorf("the text does not show what was there:\n%s", got)
	}
	for line := range strings.Lines(render(t, "text", hostile(), &Options{Baseline: stale})) {
		if strings.HasPrefix(line, "::") {
			t.Errorf("the text has a forged line: %q", line)
		}
	}
}

func TestHostileGitHub(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) ([a-z]+=[^:,]*)(,[a-z]+=[^:,]*)*::`)
	lines := strings.Split(strings.TrimSuffix(render(t, "github", hostile(), nil), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want a finding, a broken result and the counts:\n%q", len(lines), lines)
	}
	for _, line := range lines[:2] {
		if !command.MatchString(line) {
			t.Errorf("not one well-formed command: %q", line)
		}
	}
	if strings.HasPrefix(lines[2], "::") {
		t.Errorf("the counts became a command: %q", lines[2])
	}
}

func TestHostileMarkdown(t *testing.T) {
	got := render(t, "markdown", hostile(), nil)
	for _, bad := range []string{"<script", "@team", "http://", "[l](", "www.evil", " `c`", " *b*", " #1"} {
		if strings.Contains(got, bad) {
			t.Errorf("markdown has %q:\n%s", bad, got)
		}
	}
	row := regexp.MustCompile(`(?m)^\| (error|Severity).*$`)
	for _, line := range row.FindAllString(got, -1) {
		if pipes := len(regexp.MustCompile(`[^\\]\|`).FindAllString(" "+line, -1)); pipes != 5 {
			t.Errorf("%d cell borders, want 5: %q", pipes, line)
		}
	}
}

func TestScrub(t *testing.T) {
	r := sample()
	secret := "canary-value-1"
	f := &r.Results[0].Findings[0]
	f.Message, f.Where.Subject, f.Where.Pointer, f.Where.File = "m "+secret, "s "+secret, "/"+secret, secret
	f.Fixes = []finding.Fix{{Message: "f " + secret,
		Edits: []finding.Edit{{Pointer: "/a", Value: json.RawMessage(`"` + secret + `"`)}, {Pointer: "/b"}}}}
	f.Calls = []finding.Call{{Tool: "get-sum", Arguments: json.RawMessage(`{"key":"` + secret + `"}`)}}
	r.Target, r.Results[4].Name, r.Results[5].Skipped, r.Results[6].Broken = secret, secret, secret, secret
	for _, format := range Formats {
		got := render(t, format, r, &Options{Verbose: true, Scrub: redact.New(secret).Text,
			Baseline: &Applied{Stale: []Entry{{Rule: "r", Subject: secret}}}})
		if strings.Contains(got, secret) {
			t.Errorf("%s shows the secret", format)
		}
		if format == "json" && !strings.Contains(got, `"pointer": "/b"`) {
			t.Error("an edit without a secret is gone")
		}
	}
	if !strings.Contains(f.Message, secret) || r.Target != secret || len(f.Fixes[0].Edits) != 2 {
		t.Error("the report itself was changed")
	}
}

func TestJSON(t *testing.T) {
	var got struct {
		Summary Summary
		Rules   []finding.Rule
		Results []struct {
			Status   finding.Status
			Findings []finding.Finding
		}
	}
	if err := json.Unmarshal([]byte(render(t, "json", hostile(), nil)), &got); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(nasty, "\ufffd"); got.Results[0].Findings[0].Message != want {
		t.Errorf("message %q, want %q: JSON keeps what was there", got.Results[0].Findings[0].Message, want)
	}
	if got.Results[0].Status != finding.Failed || got.Results[1].Status != finding.Broken || got.Summary.Broken != 1 {
		t.Errorf("statuses are wrong: %+v", got)
	}
}

func TestJUnit(t *testing.T) {
	for _, r := range []*finding.Report{sample(), hostile(), {}} {
		text := render(t, "junit", r, nil)
		var got junitSuites
		if err := xml.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		var failures, errors, skipped int
		for _, c := range got.Suites[0].Cases {
			if c.Name == "" || c.Class == "" {
				t.Errorf("a case without name or class: %+v", c)
			}
			failures += count(c.Failure)
			errors += count(c.Error)
			if c.Skipped != nil {
				skipped++
			}
		}
		if got.Tests != len(got.Suites[0].Cases) || got.Failures != failures || got.Errors != errors ||
			got.Suites[0].Skipped != skipped {
			t.Errorf("counts %d %d %d %d do not fit the cases:\n%s", got.Tests, got.Failures, got.Errors,
				got.Suites[0].Skipped, text)
		}
	}
}

func count(m *junitMessage) int {
	if m == nil {
		return 0
	}
	return 1
}

// What the SARIF schema and its readers require.
func TestSARIF(t *testing.T) {
	for _, r := range []*finding.Report{sample(), hostile(), {}} {
		var log sarifLog
		decoder := json.NewDecoder(strings.NewReader(render(t, "sarif", r, &Options{File: "tools.json"})))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Results == nil ||
			log.Runs[0].Tool.Driver.Name == "" {
			t.Fatalf("required fields are missing: %+v", log)
		}
		run := log.Runs[0]
		ids := map[string]bool{}
		for _, rule := range run.Tool.Driver.Rules {
			if rule.ID == "" || ids[rule.ID] {
				t.Errorf("rule id %q is empty or repeated", rule.ID)
			}
			ids[rule.ID] = true
		}
		for _, result := range run.Results {
			if result.Message.Text == "" || result.RuleIndex >= len(run.Tool.Driver.Rules) ||
				run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID {
				t.Errorf("result without message or with a wrong rule index: %+v", result)
			}
			if !strings.Contains("none note warning error", result.Level) || result.Fingerprints["mcptest/v1"] == "" {
				t.Errorf("level or fingerprint is wrong: %+v", result)
			}
			uri := result.Locations[0].Physical.Artifact.URI
			if uri == "" || strings.ContainsAny(uri, " \n\\") {
				t.Errorf("uri %q", uri)
			}
		}
	}
}

func TestWriteErrors(t *testing.T) {
	if err := Write(io.Discard, "yaml", sample(), nil); err == nil || !strings.Contains(err.Error(), "text, json") {
		t.Errorf("unknown format: %v, want the known ones named", err)
	}
	for _, format := range Formats {
		if err := Write(brokenPipe{}, format, sample(), nil); err == nil {
			t.Errorf("%s hides that it could not be written", format)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\nlines": "plain\ttext\nlines",
		"\x1b[31mred\x1b[0m": `\x1b[31mred\x1b[0m`,
		"a\rb\x00c":          `a\rb\x00c`,
		"x\u202Ey\u200Bz":    `x\u{202e}y\u{200b}z`,
		"bad \xff byte":      `bad \xff byte`,
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}
