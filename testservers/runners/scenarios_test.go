package runners

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// An outcome is the verdict of a runner on a scenario, and what it shows.
type outcome struct {
	verdict string // passed, failed, or xfailed
	text    string
}

// verdicts are those on the scenarios.
var verdicts = map[string]string{"pass": "passed", "wrong_value": "failed", "wrong_text": "failed", "wrong_shape": "failed",
	"is_error": "failed", "dies": "failed", "hangs": "failed", "noise": "failed", "output_schema": "failed",
	"unknown_tool": "failed", "slow_start": "passed", "xfail": "xfailed", "xpass": "failed", "soft": "failed"}

// TestScenarios runs the same scenarios in all runners, and expects the same verdicts and texts.
func TestScenarios(t *testing.T) {
	messages := suiteMessages(t)
	runners := map[string]func(*testing.T) map[string]outcome{"go": inGo, "pytest": inPytest, "vitest": inVitest,
		"node:test": inNode, "suite in pytest": suiteInPytest, "suite in node:test": suiteInNode}
	if os.Getenv("MCPTEST_FULL") != "" {
		runners["jest"] = inJest
	}
	for name, runner := range runners {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := runner(t)
			if len(got) != len(verdicts) {
				t.Errorf("expected %d scenarios, got %d", len(verdicts), len(got))
			}
			for scenario, want := range verdicts {
				compare(t, scenario, want, messages[scenario], got[scenario])
			}
		})
	}
}

// compare checks the outcome of a scenario. Messages are those of the YAML suite.
func compare(t *testing.T, scenario, want string, messages []string, got outcome) {
	t.Helper()
	if got.verdict != want {
		t.Errorf("%s: expected %s, got %s: %s", scenario, want, got.verdict, got.text)
	}
	for _, message := range messages {
		if !strings.Contains(plain(got.text), plain(message)) {
			t.Errorf("%s: expected the text of the suite:\n%s\ngot:\n%s", scenario, message, got.text)
		}
	}
	if want == "failed" && scenario != "dies" && scenario != "xpass" && !strings.Contains(got.text, " sent: {\"jsonrpc\"") {
		t.Errorf("%s: expected the frame, got:\n%s", scenario, got.text)
	}
	if scenario == "wrong_value" && !strings.Contains(got.text, "stderr: adding") ||
		scenario == "dies" && !strings.Contains(got.text, "out of memory") {
		t.Errorf("%s: expected the stderr output, got:\n%s", scenario, got.text)
	}
}

// marker matches what runners put before the lines of a failure: spaces, and E of pytest.
var marker = regexp.MustCompile(`(?m)^(E  )?[ \t]+`)

func plain(text string) string { return marker.ReplaceAllString(text, "") }

// suiteMessages runs the YAML suite, checks its verdicts, and returns what it says about each scenario.
func suiteMessages(t *testing.T) map[string][]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	out, _ := command("testdata", program, "run", "scenarios.mcptest.yaml", "--reporter", "json="+file).CombinedOutput()
	text, err := os.ReadFile(file)
	var report finding.Report
	if err != nil || json.Unmarshal(text, &report) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := map[string][]string{}
	for _, r := range report.Results {
		name := r.Name[strings.LastIndexByte(r.Name, '/')+1:]
		status := map[finding.Status]string{finding.Passed: "passed", finding.Failed: "failed", finding.Broken: "failed",
			finding.Skipped: "xfailed"}[r.Status()]
		if status != verdicts[name] {
			t.Errorf("suite: %s: expected %s, got %s", name, verdicts[name], status)
		}
		for _, f := range r.Findings {
			_, message, found := strings.Cut(f.Message, ": ")
			if !found || !strings.HasPrefix(f.Message, "step ") {
				message = f.Message
			}
			all[name] = append(all[name], message, strings.Join(f.Evidence[:min(1, len(f.Evidence))], "\n"))
		}
		if broken, _, _ := strings.Cut(r.Broken, "; stderr: "); broken != "" {
			all[name] = append(all[name], broken)
		}
		if status == "xfailed" {
			all[name] = append(all[name], r.Skipped)
		}
	}
	return all
}

func inGo(t *testing.T) map[string]outcome {
	out, _ := command(root, "go", "test", "-count=1", "-vet=off", "-json", "./testservers/runners/testdata/go").Output()
	all := map[string]outcome{}
	for line := range bytes.Lines(out) {
		var event struct{ Action, Test, Output string }
		name, is := "", false
		if json.Unmarshal(line, &event) == nil {
			name, is = strings.CutPrefix(event.Test, "Test_")
		}
		if !is {
			continue
		}
		o := all[name]
		o.text += event.Output
		if v := map[string]string{"pass": "passed", "fail": "failed", "skip": "xfailed"}[event.Action]; v != "" {
			o.verdict = v
		}
		all[name] = o
	}
	return all
}

func inPytest(t *testing.T) map[string]outcome {
	return pytest(t, "pytest/test_scenarios.py", "-n", "2")
}

func suiteInPytest(t *testing.T) map[string]outcome { return pytest(t, "scenarios.mcptest.yaml") }

func pytest(t *testing.T, file string, more ...string) map[string]outcome {
	t.Helper()
	dir, report := need(t, "pytest"), filepath.Join(t.TempDir(), "report.xml")
	cmd := command("testdata", filepath.Join(dir, "bin", "python"), append([]string{"-m", "pytest", "-q",
		"-p", "pytest_mcptest.plugin", "-p", "no:cacheprovider", "--junitxml", report, file}, more...)...)
	out, _ := cmd.CombinedOutput()
	text, err := os.ReadFile(report)
	type detail struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var parsed struct {
		Cases []struct {
			Name    string  `xml:"name,attr"`
			Failure *detail `xml:"failure"`
			Error   *detail `xml:"error"`
			Skipped *detail `xml:"skipped"`
		} `xml:"testsuite>testcase"`
	}
	if err != nil || xml.Unmarshal(text, &parsed) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := map[string]outcome{}
	for _, c := range parsed.Cases {
		name := strings.TrimPrefix(c.Name[strings.LastIndexByte(c.Name, '/')+1:], "test_")
		switch {
		case c.Failure != nil:
			all[name] = outcome{"failed", c.Failure.Text}
		case c.Error != nil:
			all[name] = outcome{"error", c.Error.Text}
		case c.Skipped != nil && c.Skipped.Type == "pytest.xfail":
			all[name] = outcome{"xfailed", c.Skipped.Message}
		default:
			all[name] = outcome{verdict: "passed"}
		}
	}
	return all
}
