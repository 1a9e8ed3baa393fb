package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFuzzClean wants nothing to be found in the clean server, in both eras, over pipes and over HTTP, with all there
// is. Tools that wait are left out: they take their time.
func TestFuzzClean(t *testing.T) {
	url := serveDemo(t, "demo")
	tools := []string{"add", "ask_model", "ask_user", "audio", "echo", "embed", "fail", "image", "link", "list_roots",
		"mixed", "price_order", "text_statistics", "write_note"}
	for _, protocol := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, target := range []string{"demo", url} {
			args := []string{"fuzz", target, "--protocol", protocol, "--cases", "300", "--stateful", "--wire", "--seed",
				"5"}
			for _, tool := range tools {
				args = append(args, "--tool", tool)
			}
			stdout, stderr, code := runCLI(args...)
			if code != 0 || !strings.Contains(stdout, "no findings") || strings.Contains(stderr, "stopped early") {
				t.Errorf("%s %s: exit %d, want 0 and no findings\n%s%s", protocol, target, code, stdout, stderr)
			}
		}
	}
}

// TestFuzzFlawedOverHTTP wants what a loose server accepts to be seen over HTTP too.
func TestFuzzFlawedOverHTTP(t *testing.T) {
	url := serveDemo(t, "demo-flawed")
	stdout, stderr, code := runCLI("fuzz", url, "--tool", "run", "--tool", "set_priority", "--cases", "100",
		"--stateful", "--wire")
	if code != 1 || !strings.Contains(stdout, "FUZZ-004") || strings.Contains(stdout, "FUZZ-012") {
		t.Errorf("exit %d, want 1, FUZZ-004 and no FUZZ-012\n%s%s", code, stdout, stderr)
	}
}

// TestSuiteOfTheFuzzPage runs the suite that docs/fuzz.md shows.
func TestSuiteOfTheFuzzPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/fuzz.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ := strings.Cut(rest, "```")
	file := filepath.Join(t.TempDir(), "mcptest.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := runCLI("run", file); code != 0 || !strings.Contains(stdout, "1 passed") {
		t.Errorf("exit %d, want 0 and one test that passed\n%s%s", code, stdout, stderr)
	}
}
