package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestSignalsAtOnceAreOneInterrupt sends two signals at once, as happens under a launcher that passes on what the
// terminal has sent to every process. The teardown of the suite still runs to its end.
func TestSignalsAtOnceAreOneInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: needs signals")
	}
	dir := t.TempDir()
	suite := `servers: {s: demo}
teardown: [[sh, -c, 'sleep 0.3; touch torn-down']]
sequences: [{timeout: 60s, steps: [{tool: wait, args: {milliseconds: 5000}}, {tool: wait, args: {milliseconds: 5000}}]}]
`
	if err := os.WriteFile(filepath.Join(dir, "mcptest.yaml"), []byte(suite), 0o600); err != nil {
		t.Fatal(err)
	}
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "run", "--transcript", "frames.jsonl")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	await(t, "the call", func() bool {
		frames, _ := os.ReadFile(filepath.Join(dir, "frames.jsonl"))
		return strings.Contains(string(frames), "5000")
	})
	if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Process.Signal(syscall.SIGTERM)); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit status: expected 130, got %s", cmd.ProcessState)
	}
	if _, err := os.Stat(filepath.Join(dir, "torn-down")); err != nil {
		t.Errorf("teardown: expected it to run to its end, got %v", err)
	}
}
