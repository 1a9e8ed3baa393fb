package supervise

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// Available is true on systems where a process can adopt orphaned descendants.
const Available = true

func init() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == Command && os.Args[2] == await:
		args, env, ok := receive()
		if !ok {
			os.Exit(0)
		}
		os.Exit(run(args, env))
	case len(os.Args) > 1 && os.Args[1] == Command:
		os.Exit(run(os.Args[2:], os.Environ()))
	case endWithCommand(os.Args):
		waiting = startWaiting()
	}
}

// The supervisor's extra files.
const (
	lifelineFD = 3 // ends when our parent does, for any reason
	reportFD   = 4 // receives how the child ended
	stdoutFD   = 5 // the child's output, which is read once it is released
	stderrFD   = 6
	marksFD    = 7 // see DeleteUnused; may be absent
)

// Of Linux, and not in package syscall. The numbers are the same on all architectures that Go supports.
const (
	setChildSubreaper = 36  // PR_SET_CHILD_SUBREAPER
	sysCloseRange     = 436 // SYS_CLOSE_RANGE
	closeRangeCloexec = 4   // CLOSE_RANGE_CLOEXEC
	maxFD             = 1<<32 - 1
)

// childFiles is the open file limit of a child.
const childFiles = 4096

// run runs a command (its path, then its argv) and outlives mcptest just long enough to end it: it adopts
// the orphaned descendants of the command, and when the command exits or the lifeline is closed it kills all of
// them. The child has our standard streams itself, so no byte passes through here. It returns the exit status.
func run(args, env []string) int {
	mode := ""
	if len(args) > 0 && (args[0] == Linger || args[0] == Leave || args[0] == Relay) {
		mode, args = args[0], args[1:]
	}
	if len(args) < 2 {
		return 2
	}
	runtime.LockOSThread() // the parent-death signal below is tied to this thread
	KeepFiles()
	report := os.NewFile(reportFD, "report")
	_, _, _ = syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
	if mode != Leave && mode != Relay { // a long-running service has the limits of the user
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
		limitFiles()
	}
	child, err := syscall.ForkExec(args[0], args[1:], &syscall.ProcAttr{
		Env: env, Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		if mode != Relay {
			DeleteUnused(marksFD)
		}
		errno, _ := err.(syscall.Errno)
		fmt.Fprintf(report, "errno %d", errno)
		return 127
	}
	detachStreams()
	var alone atomic.Bool
	go watchLifeline(child, mode, &alone)
	ws, left := awaitChild(child, mode, &alone)
	if mode != Relay {
		DeleteUnused(marksFD)
	}
	if ws.Signaled() {
		fmt.Fprintf(report, "signal %d", ws.Signal())
		return 128 + int(ws.Signal())
	}
	fmt.Fprintf(report, "exit %d left %d", ws.ExitStatus(), left)
	return ws.ExitStatus()
}

// KeepFiles keeps our open files, and those that we inherited, from our children.
func KeepFiles() {
	_, _, _ = syscall.Syscall(sysCloseRange, 3, maxFD, closeRangeCloexec)
}

func limitFiles() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Max > childFiles {
		// This call also stops the runtime from restoring the old limit in the child.
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: childFiles, Max: childFiles})
	}
}

// detachStreams closes the child's streams in this process, so that only the child has them open.
func detachStreams() {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	for fd := range 3 {
		_ = syscall.Dup3(int(null.Fd()), fd, 0)
	}
}

// watchLifeline forwards a request to terminate. It kills everything when the parent has exited, or ends it
// step by step when the parent has released it or was a relay.
func watchLifeline(child int, mode string, alone *atomic.Bool) {
	buf := make([]byte, 1)
	for {
		n, err := syscall.Read(lifelineFD, buf)
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			if mode == Relay {
				alone.Store(true)
				endStepwise(child)
			}
			break
		}
		if buf[0] >= Signal {
			_ = syscall.Kill(child, syscall.Signal(buf[0]-Signal))
			continue
		}
		if buf[0] == Release {
			endReleased(child)
			break
		}
		_ = syscall.Kill(-child, syscall.SIGTERM)
	}
	alone.Store(true)
	for {
		killDescendants()
		time.Sleep(2 * time.Millisecond)
	}
}

// endReleased gives a child whose input has ended the time to exit, then asks it to. It returns when the child
// has to be killed. The output of the child is read meanwhile, so that it can write its last output.
func endReleased(child int) {
	for _, fd := range []uintptr{stdoutFD, stderrFD} {
		go func() { _, _ = io.Copy(io.Discard, os.NewFile(fd, "output")) }()
	}
	endStepwise(child)
}

// endStepwise waits for a child whose input has ended, asks it to exit, and waits again.
func endStepwise(child int) {
	time.Sleep(CloseGrace)
	_ = syscall.Kill(-child, syscall.SIGTERM)
	time.Sleep(CloseGrace)
}

// awaitChild reaps until the child has exited, then ends and reaps its descendants. With linger, they have a
// while to exit by themselves, and the remaining ones are counted; with leave, only the rest of the child's
// group is ended, with relay nothing, unless the parent has exited.
func awaitChild(child int, mode string, alone *atomic.Bool) (end syscall.WaitStatus, left int) {
	var ws syscall.WaitStatus
	for {
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		if pid == child {
			end = ws
			break
		}
		if err == syscall.ECHILD {
			break
		}
	}
	if mode == Relay && !alone.Load() {
		return end, 0
	}
	if mode == Leave && !alone.Load() {
		_ = syscall.Kill(-child, syscall.SIGKILL)
		return end, 0
	}
	if mode == Linger {
		left = lingering()
	}
	for {
		pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil)
		if err == syscall.ECHILD { // orphans become our children, so there is no descendant either
			return end, left
		}
		if pid == 0 {
			killDescendants()
			time.Sleep(time.Millisecond)
		}
	}
}

// lingering waits for the descendants of the child and returns how many processes remain after a while.
func lingering() int {
	var ws syscall.WaitStatus
	for end := time.Now().Add(LingerTimeout); ; time.Sleep(5 * time.Millisecond) {
		for pid := 1; pid > 0; {
			pid, _ = syscall.Wait4(-1, &ws, syscall.WNOHANG, nil)
		}
		left := len(Below(ProcessTable(), os.Getpid())) - 1
		if left == 0 || time.Now().After(end) {
			return left
		}
	}
}

// killDescendants kills every descendant of this process, according to the current process table.
func killDescendants() {
	descendants := Below(ProcessTable(), os.Getpid())
	delete(descendants, os.Getpid())
	for pid := range descendants {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
