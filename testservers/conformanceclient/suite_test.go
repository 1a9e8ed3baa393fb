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

// TestOfficialSuite lets the official suite judge the client in every scenario that a revision requires, in those that
// came later, and in those of extensions that the client has.
func TestOfficialSuite(t *testing.T) {
	in := npm.Require(t)
	client := build(t)
	for _, revision := range []struct {
		name   string
		later  []string
		scored int
	}{
		{"2025-03-26", []string{"auth/2025-03-26-oauth-metadata-backcompat", "auth/2025-03-26-oauth-endpoint-fallback"},
			0},
		{"2025-11-25", append([]string{"json-schema-2020-12-preservation"}, extensions...), 18},
		{"2026-07-28", append([]string{"json-schema-2020-12-preservation"}, extensions...), 32},
	} {
		t.Run(revision.name, func(t *testing.T) {
			var required []string
			if revision.scored > 0 {
				required = requirements(t, in, revision.name)
			}
			t.Logf("%s requires %s", revision.name, strings.Join(required, ", "))
			if len(required) != revision.scored {
				t.Errorf("the suite lists %d scenarios, want %d", len(required), revision.scored)
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

// extensions are the scenarios of authorization extensions; no revision requires them.
var extensions = []string{"auth/client-credentials-jwt", "auth/client-credentials-basic",
	"auth/enterprise-managed-authorization",
	"auth/dpop", "auth/dpop-nonce", "auth/wif-jwt-bearer"}

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
func requirements(t *testing.T, in npm.Install, revision string) (required []string) {
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
		if name, isItem := strings.CutPrefix(strings.TrimSpace(line), "- "); isItem {
			required = append(required, name)
		}
	}
	return required
}

// A check is one judgement of the suite's.
type check struct{ ID, Name, Status, Description, ErrorMessage string }

// runScenario runs one scenario and returns what the suite found.
func runScenario(t *testing.T, in npm.Install, client, revision, name string) []check {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(in.Node, in.Script("conformance"), "client", "--command", client,
		"--scenario", name, "--spec-version", revision, "--force", "-o", dir) // extensions belong to no revision
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Errorf("the suite ended with %v:\n%s", err, out.Bytes())
	}
	depth := strings.Repeat("*/", 1+strings.Count(name, "/")) // a name with a slash makes folders
	files, _ := filepath.Glob(filepath.Join(dir, depth, "checks.json"))
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
