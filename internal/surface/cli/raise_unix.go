//go:build unix && !linux

package cli

import (
	"os/signal"
	"syscall"
	"time"
)

// raise ends this process by a signal, unless the Go runtime handles it.
func raise(s syscall.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(syscall.Getpid(), s)
	time.Sleep(100 * time.Millisecond) // the signal may be delivered to another thread
}
