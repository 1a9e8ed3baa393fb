//go:build unix

package tap

import (
	"os"

	"golang.org/x/sys/unix"
)

// readerGone reports whether nothing reads an output any more, and whether it is still open. Only pipes and sockets
// have readers.
func readerGone(out any) (gone, open bool) {
	file, ok := out.(*os.File)
	if !ok {
		return false, false
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return false, false
	}
	err = conn.Control(func(fd uintptr) {
		list := []unix.PollFd{{Fd: int32(fd)}}
		_, _ = unix.Poll(list, 0)
		gone = list[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
	})
	return gone, err == nil
}
