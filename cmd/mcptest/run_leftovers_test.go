package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKilledRunLeavesNoHook kills a run in the middle: what it left running beside its tests goes with it, together with
// what that has started in a session of its own.
func TestKilledRunLeavesNoHook(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: elsewhere a process can outlive one that was killed")
	}
	dir := t.TempDir()
	suite := `servers: {s: demo}
setup:
  - command: [sh, -c, "setsid sh -c 'echo $$ > nested; exec sleep 600' & echo $$ > outer; wait"]
    background: true
    wait_for: {file: nested}
  - [sh, -c, "while ! test -e over; do touch setting-up; sleep 0.1; done"]
tools: [{tool: echo, args: {message: a}}]
`
	if err := os.WriteFile(filepath.Join(dir, "mcptest.yaml"), []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.WriteFile(filepath.Join(dir, "over"), nil, 0o600) })
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "run")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "the second hook", func() bool { _, err := os.Stat(filepath.Join(dir, "setting-up")); return err == nil })
	hooks := map[int]string{}
	for _, name := range []string{"outer", "nested"} {
		text, _ := os.ReadFile(filepath.Join(dir, name))
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		_, began := statOf(pid)
		if err != nil || began == "" {
			t.Fatalf("%s holds %q; want the id of a process that runs (%v)", name, text, err)
		}
		hooks[pid] = began
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	await(t, "the end of the hooks", func() bool { return len(alive(hooks)) == 0 })
}

// await waits until something holds; it gives up long after a busy machine would have got there.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
	}
}
