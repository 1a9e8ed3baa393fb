//go:build unix

package suite

import (
	"os/exec"
	"syscall"
)

// together puts a command and all that it starts into one group, and asks them together to end.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// sweep ends what is left of the group once the command itself is over.
func sweep(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
