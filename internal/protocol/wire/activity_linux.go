package wire

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// An activityObserver compares the CPU time of a process and its descendants between two observations.
type activityObserver struct {
	mu    sync.Mutex
	ticks uint64
}

// Activity examines the pipe and the process table: unread bytes, running and waiting threads, and what they
// wait for.
func (c *stdioConn) Activity() Activity {
	unread, inode, ok := c.pipeState()
	switch {
	case !ok:
		return ActivityUnknown
	case unread > 0:
		return NotReading
	}
	pids := c.processes()
	if c.proc.lifeline != nil {
		delete(pids, c.Pid()) // the supervisor
	}
	return c.activity.look(pids, inode)
}

// processes returns the child and its descendants.
func (c *stdioConn) processes() map[int]bool {
	pids, ok := descendants(c.Pid())
	if !ok {
		pids = supervise.Below(supervise.ProcessTable(), c.Pid())
	}
	return pids
}

// isBusy reports whether the child or a descendant uses a CPU, or waits for one or for a disk. The supervisor counts:
// it reports the exit.
func (c *stdioConn) isBusy() bool { return c.activity.look(c.processes(), "") == Busy }

// pipeState returns how many bytes of the child's input are unread, and the name of the pipe in the process table.
func (c *stdioConn) pipeState() (unread int, inode string, ok bool) {
	raw, err := c.stdin.SyscallConn()
	if err != nil {
		return 0, "", false
	}
	var stat unix.Stat_t
	control := raw.Control(func(fd uintptr) {
		if unread, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ); err == nil {
			err = unix.Fstat(int(fd), &stat)
		}
	})
	return unread, fmt.Sprintf("pipe:[%d]", stat.Ino), control == nil && err == nil
}

// look returns what processes do that have read all of their input. pipe is what they read it from.
func (o *activityObserver) look(pids map[int]bool, pipe string) Activity {
	o.mu.Lock()
	defer o.mu.Unlock()
	var ticks uint64
	running, waiting, holders := false, false, 0
	for pid := range pids {
		used, ok := processTicks(pid)
		if !ok {
			continue // it has exited
		}
		ticks += used
		threads := threadsOf(pid)
		running = running || anyRuns(pid, threads)
		if holds(pid, pipe) {
			holders++
			waiting = waiting || anyWaits(pid, threads, pipe)
		}
	}
	same := ticks == o.ticks
	o.ticks = ticks
	switch {
	case running || !same:
		return Busy
	case waiting || holders == 0: // no process can read what is sent
		return AwaitingInput
	}
	return Sleeping
}

// procStat returns the fields of a stat file after the name, which may contain anything.
func procStat(path string) [][]byte {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}

// processTicks returns the CPU time of a process with all of its threads.
func processTicks(pid int) (uint64, bool) {
	fields := procStat(fmt.Sprintf("/proc/%d/stat", pid))
	if len(fields) < 13 {
		return 0, false
	}
	user, _ := strconv.ParseUint(string(fields[11]), 10, 64)
	system, _ := strconv.ParseUint(string(fields[12]), 10, 64)
	return user + system, true
}

func threadsOf(pid int) []string {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	threads := make([]string, len(entries))
	for i, e := range entries {
		threads[i] = e.Name()
	}
	return threads
}

// anyRuns reports whether a thread is running, or waits for a CPU or for a disk.
func anyRuns(pid int, threads []string) bool {
	for _, thread := range threads {
		fields := procStat(fmt.Sprintf("/proc/%d/task/%s/stat", pid, thread))
		if len(fields) > 0 && (fields[0][0] == 'R' || fields[0][0] == 'D') {
			return true
		}
	}
	return false
}

// holds reports whether a process has the pipe open.
func holds(pid int, pipe string) bool {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	if link, err := os.Readlink(dir + "/0"); err == nil && link == pipe {
		return true
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if link, err := os.Readlink(dir + "/" + e.Name()); err == nil && link == pipe {
			return true
		}
	}
	return err != nil // no permission
}

// anyWaits reports whether a thread waits for the pipe, or for several files, of which the pipe may be one.
func anyWaits(pid int, threads []string, pipe string) bool {
	for _, thread := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/syscall", pid, thread))
		if err != nil {
			return true // no permission
		}
		var number int
		var file uint64
		if _, err := fmt.Sscanf(string(text), "%d 0x%x", &number, &file); err != nil {
			continue
		}
		switch number {
		case unix.SYS_READ, unix.SYS_READV:
			if link, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, file)); err == nil && link == pipe {
				return true
			}
		case unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_FUTEX, unix.SYS_WAIT4, unix.SYS_WAITID,
			unix.SYS_CONNECT, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_FLOCK, unix.SYS_FCNTL,
			unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGSUSPEND:
		default:
			return true
		}
	}
	return false
}
