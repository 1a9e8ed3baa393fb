//go:build unix

package wire

import (
	"os"
	"syscall"
)

// A promptWriter writes to a pipe without waiting. Only one goroutine may use it at a time.
type promptWriter struct {
	raw  syscall.RawConn
	try  func(fd uintptr) bool // made once: it would be allocated for each write
	data []byte
	n    int
}

func newPromptWriter(file *os.File) *promptWriter {
	raw, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	w := &promptWriter{raw: raw}
	w.try = func(fd uintptr) bool {
		n, err := syscall.Write(int(fd), w.data)
		if err == nil {
			w.n = n
		}
		return true // do not wait
	}
	return w
}

// write writes as much as the pipe has room for, and returns how much that is. Failures occur again when the rest is
// written.
func (w *promptWriter) write(data []byte) int {
	if w == nil {
		return 0
	}
	w.data, w.n = data, 0
	_ = w.raw.Write(w.try)
	w.data = nil
	return w.n
}
