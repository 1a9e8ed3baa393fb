package processes

import (
	"time"

	"golang.org/x/sys/unix"
)

// Time is the CPU time, user and system, that a process has used.
func Time(pid int) (time.Duration, error) {
	var t unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|2), &t) // the clock that the kernel gives each process
	return time.Duration(t.Nano()), err
}
