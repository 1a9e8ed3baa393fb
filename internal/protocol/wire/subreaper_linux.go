package wire

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// adoptedGrace limits the time for ending adopted processes.
const adoptedGrace = 2 * time.Second

// children is the set of processes that this process has started. There is one for the whole process, because
// adoption is process-wide: if a supervisor is killed, we adopt its descendants, and they must be distinguished
// from our own children.
var children childRegistry

// A childRegistry tracks the children that were started through it.
type childRegistry struct {
	mu       sync.Mutex // also serializes starting and killing adopted processes
	children map[int]*exec.Cmd
}

// start runs the command. With adopt, this process inherits the orphaned descendants of the command.
func (k *childRegistry) start(cmd *exec.Cmd, adopt bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if adopt {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	}
	if !handOver(cmd) {
		if err := cmd.Start(); err != nil {
			return err
		}
	}
	if k.children == nil {
		k.children = map[int]*exec.Cmd{}
	}
	k.children[cmd.Process.Pid] = cmd
	return nil
}

// handOver makes the supervisor that waits run the command, if it is one for a supervisor. It reports whether one did.
func handOver(cmd *exec.Cmd) bool {
	self, err := os.Executable()
	if err != nil || cmd.Path != self || len(cmd.Args) < 2 || cmd.Args[1] != supervise.Command {
		return false
	}
	if info, err := os.Stat(cmd.Dir); cmd.Dir != "" && (err != nil || !info.IsDir()) {
		return false // a new one fails with the reason
	}
	var files []uintptr
	for _, file := range append([]*os.File{cmd.Stdin.(*os.File), cmd.Stdout.(*os.File), cmd.Stderr.(*os.File)}, cmd.ExtraFiles...) {
		files = append(files, file.Fd())
	}
	pid, ok := supervise.HandOver(cmd.Args[2:], cmd.Environ(), cmd.Dir, files)
	if ok {
		cmd.Process, _ = os.FindProcess(pid) // never fails on Linux
	}
	return ok
}

// ended removes a child that has been waited for.
func (k *childRegistry) ended(cmd *exec.Cmd) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.children[cmd.Process.Pid] == cmd { // otherwise the PID may be reused
		delete(k.children, cmd.Process.Pid)
	}
}

// killOrphans kills and reaps the processes that supervisors left to us, with all of their descendants.
func (k *childRegistry) killOrphans() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for deadline := time.Now().Add(adoptedGrace); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		table := supervise.ProcessTable()
		adopted := k.adopted(table)
		if len(adopted) == 0 {
			return
		}
		for pid := range supervise.Below(table, adopted...) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		for _, pid := range adopted {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// adopted lists our children that we did not start. Processes started by other code in this process stay in our
// process group, in which no part of a supervised server ever is.
func (k *childRegistry) adopted(table map[int]supervise.Relatives) []int {
	var pids []int
	self, group := unix.Getpid(), unix.Getpgrp()
	for pid, r := range table {
		if r.Parent == self && r.Group != group && k.children[pid] == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// forceSupervisor wakes a supervisor that its server may have stopped; with kill it is ended immediately, and
// we adopt its descendants.
func forceSupervisor(cmd *exec.Cmd, kill bool) {
	_ = cmd.Process.Signal(syscall.SIGCONT)
	if kill {
		_ = cmd.Process.Kill()
	}
}
