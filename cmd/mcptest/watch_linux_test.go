package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestWatch changes files while a run watches them: a suite runs alone, and a file of the server, elsewhere, brings all
// suites. Ctrl+C ends it with the server.
func TestWatch(t *testing.T) {
	dir, elsewhere, whole := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "whole")
	write := func(path, text string) { // as one change
		t.Helper()
		if err := errors.Join(os.WriteFile(whole, []byte(text), 0o600), os.Rename(whole, path)); err != nil {
			t.Fatal(err)
		}
	}
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Join(elsewhere, "server.sh")
	write(server, "exec "+binary+" demo\n")
	suite := "servers: {s: {command: [sh, " + server + "]}}\ntools: [{name: NAME, tool: echo, args: {message: a}}]\n"
	one, two := filepath.Join(dir, "one.mcptest.yaml"), filepath.Join(dir, "two.mcptest.yaml")
	write(one, strings.Replace(suite, "NAME", "first", 1))
	write(two, strings.Replace(suite, "NAME", "second", 1))
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(binary, "run", ".", "--watch", "--no-color")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	ran := func() string { // the names of the tests that ran, by run
		text, _ := os.ReadFile(log.Name())
		marks := regexp.MustCompile(`(?m)^(?:ok .*/(first|second|third) |(watching))`).FindAllStringSubmatch(string(text), -1)
		out := ""
		for _, m := range marks {
			out += m[1] + strings.Repeat(".", min(len(m[2]), 1))
		}
		return out
	}
	both := `(firstsecond|secondfirst)\.`
	is := func(pattern string) func() bool {
		return func() bool { return regexp.MustCompile("^" + pattern + "$").MatchString(ran()) }
	}
	await(t, "the first run", is(both))
	write(two, strings.Replace(suite, "NAME", "third", 1))
	await(t, "a run of the suite that changed", is(both+`third\.`))
	write(server, "exec "+binary+" demo # again\n")
	await(t, "a run of all suites", is(both+`third\.(firstthird|thirdfirst)\.`))
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("got exit status %d, want 130", cmd.ProcessState.ExitCode())
	}
}
