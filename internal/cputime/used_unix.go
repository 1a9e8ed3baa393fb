//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is the CPU time that this process has used so far, on all cores together.
func Used() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // fails only for invalid arguments
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
