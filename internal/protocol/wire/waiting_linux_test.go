package wire

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// describe prints what a server sees of its start.
const describe = `printf '%s|%s|%s|%s|%s\n' "$PWD" "$#" "$2" "$(env | wc -c)" "$(ls /proc/self/fd | tr '\n' ' ')"; tr '\0' ' ' </proc/$PPID/cmdline; echo; cat`

// Run with a command behind "--", mcptest has a supervisor that waits. The first server is started by it, the next one by a
// new one, and neither notices.
func TestWaitingSupervisor(t *testing.T) {
	if os.Getenv("MCPTEST_WAITING") == "" {
		for _, state := range []string{"ready", "killed", "unused"} {
			t.Run(state, func(t *testing.T) { runWaiting(t, state) })
		}
		return
	}
	pid := findWaiting(t)
	if os.Getenv("MCPTEST_WAITING") == "unused" {
		return
	}
	if os.Getenv("MCPTEST_WAITING") == "killed" {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	target := Target{Command: []string{"/bin/sh", "-c", describe, "sh", "", "two\nlines é"}, Dir: t.TempDir(),
		Env:        []string{"PATH=" + os.Getenv("PATH"), "A=" + strings.Repeat("x", 100<<10), "B=" + strings.Repeat("y", 100<<10)},
		Supervisor: []string{self, supervise.Command}, Grace: 200 * time.Millisecond}
	var said [2][]string
	for i := range said {
		conn := dial(t, target, nil)
		if said[i], err = bodies(t, conn, 3); err != nil { // the first line has a line break
			t.Fatal(err)
		}
		if got := conn.(Child).Pid() == pid; got != (i == 0 && os.Getenv("MCPTEST_WAITING") == "ready") {
			t.Errorf("server %d: started by the supervisor that waited: %v", i, got)
		}
		_ = conn.Close()
	}
	if strings.Join(said[0][:2], "\n") != strings.Join(said[1][:2], "\n") || !strings.HasPrefix(said[0][0], target.Dir+"|2|two") {
		t.Errorf("started by the supervisor that waited:\n%q\nby a new one:\n%q", said[0], said[1])
	}
	target.Dir = filepath.Join(target.Dir, "absent")
	if _, err := Dial(t.Context(), target, nil); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}

// runWaiting runs this test again with a command behind "--". A supervisor that waits exits with it.
func runWaiting(t *testing.T, state string) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestWaitingSupervisor$", "-test.v", "--", "server")
	cmd.Env = append(os.Environ(), "MCPTEST_WAITING="+state)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("%v\n%s", err, out)
	}
	_, pid, _ := strings.Cut(string(out), "waiting: ")
	pid, _, _ = strings.Cut(pid, "\n")
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		line, err := os.ReadFile("/proc/" + pid + "/cmdline")
		if err != nil || !strings.Contains(string(line), supervise.Command) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the supervisor %s has not exited", pid)
		}
	}
}

// findWaiting returns the process ID of our supervisor that waits.
func findWaiting(t *testing.T) int {
	t.Helper()
	for pid, of := range supervise.ProcessTable() {
		line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if of.Parent == os.Getpid() && strings.Contains(string(line), "\x00"+supervise.Command+"\x00await\x00") {
			os.Stdout.WriteString("waiting: " + strconv.Itoa(pid) + "\n")
			return pid
		}
	}
	t.Fatal("no supervisor waits")
	return 0
}
