package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// block is a fenced block of a Markdown file, in the language that follows the fence.
var block = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// TestFlagsOfTheDocumentation wants every flag that docs/suites.md shows to be one of mcptest run.
func TestFlagsOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	help, err := mcptest(t, t.TempDir(), "run", "--help")
	if err != nil {
		t.Fatal(err)
	}
	var synopsis string
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		if strings.HasPrefix(m[2], "mcptest run [") {
			synopsis = m[2]
		}
	}
	if synopsis == "" {
		t.Fatal("docs/suites.md has no synopsis of mcptest run")
	}
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(synopsis, -1) {
		if !strings.Contains(help, flag+" ") {
			t.Errorf("the documentation shows %s, which mcptest run does not have", flag)
		}
	}
}

// TestCommandsOfTheDocumentation requires that the table in docs/README.md has every command, and no other.
func TestCommandsOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| command | what it does |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var named, known []string
	for row := range strings.Lines(table) {
		for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			named = append(named, m[1])
		}
	}
	for _, cmd := range cli.Commands().Commands() {
		if !cmd.Hidden && cmd.Name() != "help" {
			known = append(known, cmd.Name())
		}
	}
	slices.Sort(named)
	slices.Sort(known)
	if diff := cmp.Diff(named, known); diff != "" {
		t.Errorf("commands of docs/README.md (-got +want):\n%s", diff)
	}
}

// The script of the action does what its text says: it runs the suites, writes the reports and keeps the exit status.
func TestGitHubAction(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("left out: there is no bash")
	}
	text, err := os.ReadFile("../../.github/actions/mcptest/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// In the place of go install: this program under the name mcptest, and a go that says where it is.
	for name, script := range map[string]string{"mcptest": "exec env MCPTEST_AS_COMMAND=1 '" + self + "' \"$@\"",
		"go": "echo '" + dir + "'"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"),
		[]byte("servers: {s: demo}\ntools: [{tool: echo, args: {message: a}, expect: {equals: b}}]\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", action.Runs.Steps[1].Run)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "SUITES=a.yaml",
		"ARGUMENTS=--retries 1", "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"))
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 {
		t.Errorf("got %v, want exit status 1\n%s", err, out)
	}
	if !strings.Contains(string(out), "::error ") {
		t.Errorf("no annotation in\n%s", out)
	}
	for _, name := range []string{"mcptest-reports/junit.xml", "mcptest-reports/report.html",
		"mcptest-reports/run.json", "summary"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// mcptest runs this program as the command, in a directory.
func mcptest(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "MCPTEST_AS_COMMAND=1", "CI=", "HOME="+dir)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
