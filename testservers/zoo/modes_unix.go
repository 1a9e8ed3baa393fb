//go:build unix

package zoo

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// modes are defects that require a separate process.
func modes() []Server {
	return append([]Server{
		{Name: "ignores-eof-and-term", Defect: "does not exit on request", Main: ignoreEnd, Sight: Sight{}},
		{Name: "killed", Defect: "is killed by a signal",
			Main:  func() int { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} },
			Sight: Sight{Connect: "killed by signal 9"}},
		{Name: "grandchild", Defect: "starts a process that keeps stdout open",
			Main: func() int { return withGrandchild(&syscall.SysProcAttr{}, whole) }, Sight: Sight{}},
		{Name: "grandchild-exit", Defect: "exits and leaves a process that keeps stdout open",
			Main:  func() int { return withGrandchild(&syscall.SysProcAttr{}, "start\n\texit 4") },
			Sight: Sight{Connect: "exited with status 4"}},
		{Name: "grandchild-setsid", Defect: "starts a process that leaves its process group",
			Main: func() int { return withGrandchild(&syscall.SysProcAttr{Setsid: true}, whole) }, Sight: Sight{}},
		{Name: "sleeper", Defect: "is the process that the others leave behind",
			Main:  func() int { signal.Ignore(syscall.SIGTERM); time.Sleep(time.Minute); return 0 },
			Sight: Sight{Connect: "no response within"}},
	}, parricides()...)
}

var whole = but()

// ignoreEnd serves, then runs until it is killed.
func ignoreEnd() int {
	signal.Ignore(syscall.SIGTERM)
	wiretest.New(but()).Main()
	for { // a program without C that waits for nothing ends with "all goroutines are asleep"
		time.Sleep(time.Hour)
	}
}

// withGrandchild starts a sleeper, then runs the script.
func withGrandchild(attr *syscall.SysProcAttr, script string) int {
	if startSleeper(attr) != nil {
		return 9
	}
	return wiretest.New(script).Main()
}

func startSleeper(attr *syscall.SysProcAttr) error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), modeVariable+"=sleeper")
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdin, os.Stdout, os.Stderr, attr
	return cmd.Start()
}
