package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// readmeCommands are the lines of the README's shell blocks.
func readmeCommands(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	inside := false
	for _, line := range strings.Split(string(readme), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```sh"
		case inside && line != "":
			line, _, _ = strings.Cut(line, "  #")
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if len(lines) < 5 {
		t.Fatalf("found %d commands in the README: %q", len(lines), lines)
	}
	return lines
}

// The first two commands do all that a newcomer needs. The second one is running this test.
func TestREADMERunsOnAFreshMachine(t *testing.T) {
	lines := readmeCommands(t)
	if lines[1] != "go test ./..." {
		t.Errorf("the second command is %q; want go test ./...", lines[1])
	}
	words := strings.Fields(lines[0])
	if words[0] != "go" || words[1] != "run" {
		t.Fatalf("the first command is %q; want go run …", lines[0])
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
		t.Errorf("%s: %v\n%s", lines[0], err, out)
	}
}

// Every mcptest command in the README exists, and so does each of its flags.
func TestREADMECommandsExist(t *testing.T) {
	for _, line := range readmeCommands(t) {
		if !strings.HasPrefix(line, "mcptest ") {
			continue
		}
		words := shellWords(line)[1:]
		for i, w := range words {
			if w == "--" {
				words = words[:i]
				break
			}
		}
		stdout, stderr, code := runCLI(append(words, "--help")...)
		if code != 0 || !strings.Contains(stdout, "Usage:") {
			t.Errorf("%s: exit %d\n%s", line, code, stderr)
		}
	}
}

// shellWords splits a line as a shell would, as far as quotes go.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quoted := false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			if word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	return words
}
