//go:build unix

package front

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used so far: unlike the clock on the wall it does not count what others do meanwhile.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
