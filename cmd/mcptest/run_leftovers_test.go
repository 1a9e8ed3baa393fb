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

// TestKilledRunLeavesNoHook kills a run in the middle: what it left running beside its tests goes with it, and so do its
// fixtures and the hook that it waits for, together with what those have started in sessions of their own. A service that a hook
// left before stays.
func TestKilledRunLeavesNoHook(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: elsewhere a process can outlive one that was killed")
	}
	dir := t.TempDir()
	suite := `servers: {s: demo}
fixtures:
  helper: {command: [sh, -c, "setsid sh -c 'echo $$ > inner; exec sleep 600' & echo $$ > fixture; wait"], wait_for: {file: inner}}
setup:
  - command: [sh, -c, "setsid sh -c 'echo $$ > nested; exec sleep 600' & echo $$ > outer; wait"]
    background: true
    wait_for: {file: nested}
  - [sh, -c, "setsid sh -c 'echo $$ > service; exec sleep 600' & while ! test -s service; do sleep 0.01; done"]
  - [sh, -c, "setsid sh -c 'echo $$ > below; exec sleep 600' & echo $$ > waited-for; wait"]
tools: [{tool: echo, args: {message: a}}]
`
	if err := os.WriteFile(filepath.Join(dir, "mcptest.yaml"), []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "run")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	hooks := map[int]string{}
	for _, name := range []string{"outer", "nested", "waited-for", "below", "fixture", "inner"} {
		pid, began := hookOf(t, dir, name)
		hooks[pid] = began
	}
	service, began := hookOf(t, dir, "service")
	t.Cleanup(func() {
		if process, err := os.FindProcess(service); err == nil {
			_ = process.Kill()
		}
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	await(t, "the end of the hooks", func() bool { return len(alive(hooks)) == 0 })
	if len(alive(map[int]string{service: began})) == 0 {
		t.Error("the service that a hook left behind has ended; want it to stay")
	}
}

// hookOf waits until a hook has written its process id, and returns it with when the process began.
func hookOf(t *testing.T, dir, name string) (pid int, began string) {
	t.Helper()
	await(t, name, func() bool {
		text, _ := os.ReadFile(filepath.Join(dir, name))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0 && strings.HasSuffix(string(text), "\n")
	})
	if _, began = statOf(pid); began == "" {
		t.Fatalf("%s is process %d; want one that runs", name, pid)
	}
	return pid, began
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
