package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoadDocumentation runs what docs/load.md shows: for a shorter time, and on a server that is there. Whether a threshold
// holds is the machine's to say.
func TestLoadDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/load.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	suites, mixes, commands := 0, 0, 0
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		file := filepath.Join(dir, "file.yaml")
		if err := os.WriteFile(file, []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		switch {
		case m[1] == "yaml" && strings.HasPrefix(m[2], "- "):
			mixes++
			runShown(t, dir, 0, "load", "demo", "--mix", file, "--rate", "20/s", "--duration", "200ms")
		case m[1] == "yaml":
			suites++
			runShown(t, dir, 0, "run", file)
		case m[1] == "sh":
			for line := range strings.Lines(m[2]) {
				commands++
				shorter := strings.NewReplacer("--duration 30s", "--duration 200ms", "http://127.0.0.1:8080/mcp", serveDemo(t, "demo"), "'", "").Replace(line)
				runShown(t, dir, 1, strings.Fields(shorter)[1:]...)
			}
		}
	}
	if suites != 1 || mixes != 1 || commands != 2 {
		t.Errorf("%d suites, %d mixes, %d commands; want what the page has", suites, mixes, commands)
	}
	for _, name := range []string{"load.html", "script.js"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// runShown runs a command that must not end with a higher status than most.
func runShown(t *testing.T, dir string, most int, args ...string) {
	t.Helper()
	out, err := mcptest(t, dir, args...)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() > most) {
		t.Errorf("mcptest %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
