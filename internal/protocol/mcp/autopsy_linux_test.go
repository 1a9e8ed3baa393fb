package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// inPipes tells how much lies unread in the pipes that a process holds.
func inPipes(pid int) string {
	var told strings.Builder
	held, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, path := range held {
		name, _ := os.Readlink(path)
		if !strings.HasPrefix(name, "pipe:") {
			continue
		}
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		unread, _ := unix.IoctlGetInt(fd, unix.TIOCINQ)
		_ = unix.Close(fd)
		fmt.Fprintf(&told, "%s %s: %d bytes\n", path, name, unread)
	}
	return told.String()
}

// threads tells of each thread of a process how it is, and in which system call it waits.
func threads(pid int) string {
	var told strings.Builder
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, task := range tasks {
		stat, _ := os.ReadFile(task + "/stat")
		_, state, _ := strings.Cut(string(stat), ") ")
		call, _ := os.ReadFile(task + "/syscall")
		fmt.Fprintf(&told, "%s %.1s %.40s\n", filepath.Base(task), state, strings.TrimSpace(string(call)))
	}
	return told.String()
}
