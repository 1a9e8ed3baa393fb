package wire

import (
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adoptedGrace bounds the time that ending adopted processes may take.
const adoptedGrace = 2 * time.Second

// kin is what this process has started. It is one for the whole process, as adoption is: a supervisor that something
// killed leaves its descendants to us, and they have to be told from our own children.
var kin family

// A family knows the children that were started through it.
type family struct {
	mu       sync.Mutex // also keeps a start and the killing of strangers apart
	children map[int]*exec.Cmd
}

// start runs the command. With adopt, this process inherits what the command's descendants leave behind.
func (k *family) start(cmd *exec.Cmd, adopt bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if adopt {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if k.children == nil {
		k.children = map[int]*exec.Cmd{}
	}
	k.children[cmd.Process.Pid] = cmd
	return nil
}

// ended forgets a child that has been waited for.
func (k *family) ended(cmd *exec.Cmd) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.children[cmd.Process.Pid] == cmd { // else the number has a new owner
		delete(k.children, cmd.Process.Pid)
	}
}

// endAdopted kills and reaps what supervisors left to us, with everything below it.
func (k *family) endAdopted() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for deadline := time.Now().Add(adoptedGrace); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		table := processTable()
		adopted := k.adopted(table)
		if len(adopted) == 0 {
			return
		}
		for pid := range below(table, adopted...) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		for _, pid := range adopted {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// adopted lists our children that we did not start. What others in this process start stays in our process group, in
// which nothing of a supervised server ever was.
func (k *family) adopted(table map[int]relation) []int {
	var pids []int
	self, group := unix.Getpid(), unix.Getpgrp()
	for pid, r := range table {
		if r.parent == self && r.group != group && k.children[pid] == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// forceSupervisor wakes a supervisor that its server may have stopped; with kill it is ended at once, and what is below
// it comes to us.
func forceSupervisor(cmd *exec.Cmd, kill bool) {
	_ = cmd.Process.Signal(syscall.SIGCONT)
	if kill {
		_ = cmd.Process.Kill()
	}
}
