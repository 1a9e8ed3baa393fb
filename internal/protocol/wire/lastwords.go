package wire

import (
	"errors"
	"io"
	"os"
	"time"
)

// lastWords reads the output of a process to its end. Once the process has exited, the file has a read deadline; what
// still lies in the pipe is read all the same, however late we come to it, but a descendant that holds the pipe open
// is not waited for.
type lastWords struct {
	file *os.File
	late int // bytes read after the deadline
}

// maxLate is more than a pipe holds.
const maxLate = 1 << 20

// Read reads from the file, past its deadline too if there is something.
func (w *lastWords) Read(p []byte) (int, error) {
	n, err := w.file.Read(p)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	if w.late > maxLate || w.file.SetReadDeadline(time.Now().Add(wordsGrace)) != nil {
		return 0, io.EOF
	}
	n, err = w.file.Read(p)
	if w.late += n; errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}
