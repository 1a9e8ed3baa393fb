// Package systrace records the system calls of a program with strace, so that a test can check which files it touched,
// which programs it started and which addresses it reached. It is for tests.
package systrace

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A Trace is the record of one program and of all that it starts.
type Trace struct {
	t    *testing.T
	file string
}

// Wrap makes a command run under strace. Where strace is absent or not permitted, the test is
// skipped, and fails if MCPTEST_REQUIRE_STRACE is set.
func Wrap(t *testing.T, cmd *exec.Cmd) *Trace {
	t.Helper()
	tr := &Trace{t: t, file: filepath.Join(t.TempDir(), "calls")}
	program, err := exec.LookPath("strace")
	args := []string{"-f", "--seccomp-bpf", "-qq", "-s", "4096", "-e", "trace=%file,execve,execveat,connect,sendto",
		"-e", "signal=none"}
	if err == nil {
		err = exec.Command(program, append(args, "-o", os.DevNull, "true")...).Run()
	}
	if err != nil {
		if os.Getenv("MCPTEST_REQUIRE_STRACE") != "" {
			t.Fatalf("strace: %v", err)
		}
		t.Skipf("skipped: strace: %v", err)
	}
	args = append(args, "-o", tr.file, "--", cmd.Path)
	cmd.Path, cmd.Args = program, append(append([]string{program}, args...), cmd.Args[1:]...)
	return tr
}

// A Call is one system call.
type Call struct {
	Name string // such as openat
	Text string // the arguments and the result, as strace prints them
}

// line is a line of strace: the process, the call, its arguments.
var line = regexp.MustCompile(`^\d+ +(?:<\.\.\. )?(\w+)(.*)$`)

// Calls returns the system calls so far, in order.
func (tr *Trace) Calls() []Call {
	tr.t.Helper()
	text, err := os.ReadFile(tr.file)
	if err != nil {
		tr.t.Fatal(err)
	}
	var all []Call
	for one := range strings.Lines(string(text)) {
		if found := line.FindStringSubmatch(strings.TrimSpace(one)); found != nil {
			all = append(all, Call{found[1], found[2]})
		}
	}
	return all
}

// Starts reports whether the call starts a program.
func (c Call) Starts() bool {
	return strings.HasPrefix(c.Name, "exec") && strings.HasPrefix(c.Text, "(")
}

// Opens reports whether the call opens a file or follows a link.
func (c Call) Opens() bool {
	return strings.HasPrefix(c.Name, "open") || c.Name == "creat" || strings.HasPrefix(c.Name, "readlink")
}

// Reaches reports whether the call connects to an IP address or sends to one.
func (c Call) Reaches() bool {
	return (c.Name == "connect" || c.Name == "sendto") && strings.Contains(c.Text, "AF_INET")
}

// Interrupt sends an interrupt to the program, which strace would not pass on.
func (tr *Trace) Interrupt() {
	tr.t.Helper()
	text, err := os.ReadFile(tr.file)
	if err != nil {
		tr.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), " ")
	pid, err := strconv.Atoi(first)
	if err != nil {
		tr.t.Fatalf("the record begins with %q; expected a process ID", first)
	}
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Signal(os.Interrupt) // it may have exited
	}
}
