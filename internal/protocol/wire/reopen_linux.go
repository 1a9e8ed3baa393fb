package wire

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// reopenOutput opens our ends of the child's output again. Separate files keep their deadlines separate from
// ours.
func reopenOutput(ours *pipes) (stdout, stderr *os.File, err error) {
	if stdout, err = reopen(ours.stdout); err != nil {
		return nil, nil, err
	}
	if stderr, err = reopen(ours.stderr); err != nil {
		_ = stdout.Close()
	}
	return stdout, stderr, err
}

func reopen(file *os.File) (again *os.File, err error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, err
	}
	control := raw.Control(func(fd uintptr) {
		again, err = os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", fd), os.O_RDONLY|unix.O_NONBLOCK, 0)
	})
	return again, errors.Join(control, err)
}
