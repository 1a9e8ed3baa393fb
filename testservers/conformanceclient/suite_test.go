package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// TestOfficialSuite lets the official suite judge the client in every scenario that a revision requires and that needs
// no authorization, and in those that came later.
func TestOfficialSuite(t *testing.T) {
	in := npm.Require(t)
	client := build(t)
	for _, revision := range []struct {
		name   string
		later  []string
		scored int
	}{
		{"2025-11-25", []string{"json-schema-2020-12-preservation"}, 4},
		{"2026-07-28", []string{"json-schema-2020-12-preservation"}, 7},
	} {
		t.Run(revision.name, func(t *testing.T) {
			required, leftOut := requirements(t, in, revision.name)
			t.Logf("%s requires %s", revision.name, strings.Join(required, ", "))
			t.Logf("left out until there is authorization: %s", strings.Join(leftOut, ", "))
			if len(required) != revision.scored {
				t.Errorf("the suite lists %d scenarios without authorization, want %d", len(required), revision.scored)
			}
			for _, name := range append(required, revision.later...) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					judge(t, runScenario(t, in, client, revision.name, name))
				})
			}
		})
	}
}

// build compiles the client.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conformanceclient")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// requirements lists the client scenarios that the suite scores for a revision.
func requirements(t *testing.T, in npm.Install, revision string) (required, leftOut []string) {
	t.Helper()
	out, err := exec.Command(in.Node, in.Script("conformance"), "list", "--requirements", revision).Output()
	if err != nil {
		t.Fatalf("list the requirements of %s: %v", revision, err)
	}
	_, rest, found := strings.Cut(string(out), "Client scenarios")
	if !found {
		t.Fatalf("the suite's list has no client scenarios:\n%s", out)
	}
	rest, _, _ = strings.Cut(rest, "\n\n")
	for line := range strings.Lines(rest) {
		name, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		switch {
		case !isItem:
		case strings.HasPrefix(name, "auth/"):
			leftOut = append(leftOut, name)
		default:
			required = append(required, name)
		}
	}
	return required, leftOut
}

// A check is one judgement of the suite's.
type check struct{ ID, Name, Status, Description, ErrorMessage string }

// runScenario runs one scenario and returns what the suite found.
func runScenario(t *testing.T, in npm.Install, client, revision, name string) []check {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(in.Node, in.Script("conformance"), "client", "--command", client,
		"--scenario", name, "--spec-version", revision, "-o", dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("the suite ended with %v:\n%s", err, out.Bytes())
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if len(files) != 1 {
		t.Fatalf("found %d checks.json, want 1; the suite said:\n%s", len(files), out.Bytes())
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var checks []check
	if err := json.Unmarshal(text, &checks); err != nil {
		t.Fatalf("%s: %v", files[0], err)
	}
	return checks
}

// notInThisEra are the checks that the suite skips because the newer era has no such messages.
var notInThisEra = []string{"ClientMcpMethodHeader_initialize", "ClientMcpMethodHeader_notifications_initialized"}

// judge wants every check to have succeeded; INFO is only the suite's log of what it saw.
func judge(t *testing.T, checks []check) {
	t.Helper()
	passed := 0
	for _, c := range checks {
		switch {
		case c.Status == "SUCCESS":
			passed++
		case c.Status == "INFO" && c.ErrorMessage == "":
		case c.Status == "SKIPPED" && slices.Contains(notInThisEra, c.Name):
		default:
			t.Errorf("%s (%s) is %s, want SUCCESS: %s %s", c.ID, c.Name, c.Status, c.Description, c.ErrorMessage)
		}
	}
	if passed == 0 {
		t.Errorf("no check succeeded among %d", len(checks))
	}
	t.Logf("%d checks succeeded", passed)
}
