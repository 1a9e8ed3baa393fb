package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// An output is the destination of results. It stores a write error and stops the run then: nobody would see
// further output.
type output struct {
	w    io.Writer
	stop context.CancelCauseFunc

	mu    sync.Mutex
	begun bool // something was written
	err   error
}

// Write writes to stdout.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun = o.begun || n > 0
	if err != nil && o.err == nil {
		o.err = err
		o.stop(err)
	}
	return n, err
}

// wrote reports whether something was written.
func (o *output) wrote() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.begun
}

// failure returns the first write error.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// stdoutClosed reports whether an error is that of an operation that writes to a pipe of stdout by itself, and whose
// reader has gone.
func stdoutClosed(err error) bool {
	var failed *fs.PathError
	return errors.As(err, &failed) && failed.Path == os.Stdout.Name() && closedByReader(err)
}

// closedByReader reports whether the reader closed the pipe, as head does.
func closedByReader(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// writeProblem returns why a write failed, without the name of the system call.
func writeProblem(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return err.Error()
}
