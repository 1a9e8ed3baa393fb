package wire

import (
	"errors"
	"io"
	"os"
	"time"
)

// drainReader reads the output of a process to its end. Once the process has exited, the file has a read
// deadline; the remaining data in the pipe is still read, however late, but a descendant that holds the pipe
// open is not waited for.
type drainReader struct {
	file *os.File
	late int // bytes read after the deadline
}

// maxLateBytes is more than the capacity of a pipe.
const maxLateBytes = 1 << 20

// Read reads from the file, also past its deadline if there is data.
func (w *drainReader) Read(p []byte) (int, error) {
	n, err := w.file.Read(p)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if w.late > maxLateBytes || w.file.SetReadDeadline(time.Now().Add(stderrDrainTimeout)) != nil {
		return 0, io.EOF
	}
	n, err = w.file.Read(p)
	if w.late += n; errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}
