package supervise

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// setOwnedLock is F_OFD_SETLK: a lock that belongs to an open file, not to a process.
const setOwnedLock = 37

// Use locks the first byte of a file for as long as it is open. It reports whether the file still has a name: another
// process may have deleted it before it was locked.
func Use(fd uintptr) bool {
	if !lockFirst(fd, syscall.F_RDLCK) {
		return false
	}
	var stat syscall.Stat_t
	return syscall.Fstat(int(fd), &stat) == nil && stat.Nlink > 0
}

// DeleteUnused deletes a file of locks unless someone else uses it. A supervisor is the last one who has to use it for
// its child, so nothing remains if it is the last one.
func DeleteUnused(fd uintptr) {
	path, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(fd)))
	name := path[strings.LastIndexByte(path, '/')+1:]
	if err != nil || !strings.HasPrefix(name, "mcptest-") || !strings.HasSuffix(name, ".lock") {
		return
	}
	// Of several processes that end at the same time, one gets the lock: none of them holds its first lock anymore.
	lockFirst(fd, syscall.F_UNLCK)
	if lockFirst(fd, syscall.F_WRLCK) {
		_ = os.Remove(path)
	}
}

// lockFirst sets or releases the lock of the first byte, and reports whether it could. It does not wait.
func lockFirst(fd uintptr, kind int16) bool {
	lock := syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: 0, Len: 1}
	return syscall.FcntlFlock(fd, setOwnedLock, &lock) == nil
}
