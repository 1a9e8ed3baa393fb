package stdinwake

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const childVariable = "MCPTEST_STDINWAKE_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "with":
		defer Start()()
		readStdin()
	case "without":
		readStdin()
	default:
		os.Exit(m.Run())
	}
}

// readStdin waits in a system call, as a server does between two requests.
func readStdin() { _, _ = os.Stdin.Read(make([]byte, 1)) }

// A process that only waits for standard input sleeps without Start, and wakes up every second with it.
func TestProcessWakesUp(t *testing.T) {
	with, without := startChild(t, "with"), startChild(t, "without")
	const needed = 4
	deadline := time.Now().Add(60 * time.Second)
	withBefore, withoutBefore := settled(t, with, without)
	for switches(t, with)-withBefore < needed {
		if time.Now().After(deadline) {
			t.Fatalf("woke up %d times in a minute, expected once a second", switches(t, with)-withBefore)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if idle := switches(t, without) - withoutBefore; idle >= needed {
		t.Errorf("without the timer, the process woke up %d times too: the test proves nothing", idle)
	}
}

// settled waits until the process without the timer has started and sleeps, and returns both counts.
func settled(t *testing.T, with, without int) (withBefore, withoutBefore int) {
	t.Helper()
	for last, deadline := -1, time.Now().Add(60*time.Second); ; {
		now := switches(t, without)
		if now > 0 && now == last {
			return switches(t, with), now
		}
		if time.Now().After(deadline) {
			t.Fatal("the idle process never sleeps")
		}
		last = now
		time.Sleep(time.Second)
	}
}

func startChild(t *testing.T, kind string) (pid int) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+kind)
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = child.Wait()
	})
	return child.Process.Pid
}

// switches counts how often the threads of a process went to sleep.
func switches(t *testing.T, pid int) (count int) {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("no threads of process %d: %v", pid, err)
	}
	for _, thread := range threads {
		status, err := os.ReadFile(thread)
		if err != nil {
			continue // the thread has ended
		}
		for line := range strings.Lines(string(status)) {
			var n int
			if _, err := fmt.Sscanf(line, "voluntary_ctxt_switches: %d", &n); err == nil {
				count += n
			}
		}
	}
	return count
}
