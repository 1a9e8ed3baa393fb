package frontend

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
)

// runAndLookBehind runs all tests and then sees that nothing is left of them: no goroutine, no open file, no process
// and no temporary file (E11).
func runAndLookBehind(m *testing.M) int {
	temporary, err := os.MkdirTemp("", "gateway-tests")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(temporary)
	if err := os.Setenv("TMPDIR", temporary); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		// the runtime keeps files of its own from the first one on
		_ = l.Close()
	}
	before := openFiles()
	if code := m.Run(); code != 0 {
		return code
	}
	if err := leaktest.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "E11:", err)
		return 1
	}
	return lookBehind(before, temporary)
}

// lookBehind tells what is left, and gives it a while to go.
func lookBehind(before []string, temporary string) int {
	var left []string
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left = left[:0]
		if now := openFiles(); len(now) > len(before) {
			left = append(left, fmt.Sprintf("the open files %q, before %q", now, before))
		}
		if processes := children(); len(processes) > 0 {
			left = append(left, fmt.Sprintf("processes %v", processes))
		}
		if files, err := os.ReadDir(temporary); err != nil || len(files) > 0 {
			left = append(left, fmt.Sprintf("temporary files %v (%v)", files, err))
		}
		if len(left) == 0 {
			return 0
		}
		if time.Now().After(deadline) {
			fmt.Fprintln(os.Stderr, "E11: the tests have left", strings.Join(left, ", "))
			return 1
		}
	}
}

// openFiles lists the open files of this process, where the system tells.
func openFiles() []string {
	files, _ := os.ReadDir("/proc/self/fd")
	var all []string
	for _, file := range files {
		if target, err := os.Readlink("/proc/self/fd/" + file.Name()); err == nil {
			// the folder itself is closed by now
			all = append(all, target)
		}
	}
	return all
}

// children lists the processes that this one has started and that are still there.
func children() []string {
	var all []string
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		all = append(all, strings.Fields(string(text))...)
	}
	return all
}
