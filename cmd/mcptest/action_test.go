package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestChangesWorkflow runs the steps of the workflow in examples/github-action, except those that need GitHub: a server
// that is as locked passes, and another one fails, with a summary for the pull request.
func TestChangesWorkflow(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the steps are shell scripts")
	}
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "github-action", "mcp-changes.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		server, summary string
		passes          bool
	}{{"demo", "no differences", true}, {"demo-flawed", "major", false}} {
		t.Run(test.server, func(t *testing.T) {
			dir := t.TempDir()
			run := func(script string) (string, error) {
				cmd := exec.Command("sh", "-e", "-c", script)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "SERVER="+test.server,
					"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"),
					"PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			if out, err := run(`ln -s "$(command -v ` + filepath.Base(binary) +
				`)" mcptest && ./mcptest lock demo`); err != nil {
				t.Fatalf("lock: %v\n%s", err, out)
			}
			var steps int
			var last error
			for _, step := range workflow.Jobs["changes"].Steps {
				if !strings.Contains(step.Run, "mcptest diff") {
					continue
				}
				steps++
				var out string
				if out, last = run(`PATH="$PWD:$PATH"; ` + step.Run); last != nil &&
					!errors.As(last, new(*exec.ExitError)) {
					t.Fatalf("%s: %v\n%s", step.Name, last, out)
				}
			}
			if steps != 2 || (last == nil) != test.passes {
				t.Errorf("%d steps, the last one ended with %v; want 2, passed: %v", steps, last, test.passes)
			}
			summary, err := os.ReadFile(filepath.Join(dir, "summary.md"))
			if err != nil || !strings.Contains(strings.ToLower(string(summary)), test.summary) {
				t.Errorf("summary %q, %v; want %q in it", summary, err, test.summary)
			}
		})
	}
}
