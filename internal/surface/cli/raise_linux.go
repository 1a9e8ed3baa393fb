package cli

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// raise ends this process by a signal, with the default action: the Go runtime would handle some of them itself.
func raise(s syscall.Signal) {
	var defaultAction [64]byte // the zero value of the kernel's struct sigaction on every architecture
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&defaultAction)), 0, 8, 0, 0)
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) // the server has written its own core file
	_ = unix.Kill(unix.Getpid(), s)
	time.Sleep(time.Second) // the signal may be delivered to another thread
}
