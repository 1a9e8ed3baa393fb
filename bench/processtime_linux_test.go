package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime is the processor time that a process has used.
func processTime(pid int) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil { // the clock that the kernel gives each process
		panic(err)
	}
	return time.Duration(t.Nano())
}
