//go:build unix

package wire

import (
	"os"
	"os/exec"
	"syscall"
)

// A group is the process group of a child, so that descendants of npx and similar programs are ended with them.
type group struct{}

func (*group) prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func (*group) started(*exec.Cmd) {}

func (*group) terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func (*group) kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func exitStatus(state *os.ProcessState) error {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return &ExitError{Code: -1, Signal: ws.Signal()}
	}
	return &ExitError{Code: state.ExitCode()}
}
