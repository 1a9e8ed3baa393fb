package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/stdinwake"
)

// MaxMessage is the maximum length of a message, on a line or in an HTTP body.
const MaxMessage = 16 << 20

// TooLong is the response to a message over the limit.
func TooLong() *Error { return InvalidRequest("messages are limited to %d bytes", MaxMessage) }

// EachLine passes every line of in to handle, without its line end; lines over the limit are nil. It returns
// when in ends, when ctx is done (its cause) or when handle fails.
func EachLine(ctx context.Context, in io.Reader, handle func(line []byte) error) error {
	if _, ok := in.(*os.File); ok {
		defer stdinwake.Start()()
	}
	lines := make(chan []byte)
	stop := make(chan struct{})
	read := make(chan error, 1)
	go func() {
		defer close(lines)
		read <- scan(in, func(line []byte) bool {
			select {
			case lines <- line:
				return true
			case <-stop:
				return false
			}
		})
	}()
	err := pump(ctx, lines, handle)
	close(stop)
	if err == nil {
		return <-read
	}
	// The reader may block in a read that only closing ends, and on a terminal not even that: then the process
	// is about to exit, and must not wait for input.
	if closer, ok := in.(io.Closer); ok {
		closer.Close()
		select {
		case <-read:
		case <-time.After(grace):
		}
	}
	return err
}

func pump(ctx context.Context, lines <-chan []byte, handle func([]byte) error) error {
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			if err := handle(line); err != nil {
				return err
			}
		}
	}
}

// scan reads lines until in ends or emit returns false.
func scan(in io.Reader, emit func([]byte) bool) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if line != nil && !emit(line.bytes) {
			return nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
	}
}

// A line is the text before a newline; bytes is nil if it was over the limit.
type line struct{ bytes []byte }

// readLine returns the next line that is not blank, or nil.
func readLine(r *bufio.Reader) (*line, error) {
	var text []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > MaxMessage; !long {
			text = append(text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return &line{}, err
		}
		if text = bytes.Trim(text, " \t\r\n"); len(text) > 0 {
			return &line{text}, err
		}
		return nil, err
	}
}

// A LineWriter writes whole lines, one at a time.
type LineWriter struct {
	mu  sync.Mutex
	Out io.Writer
	err error // the first error; nothing is written after it
}

// Write writes one line.
func (w *LineWriter) Write(text []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		if _, err := w.Out.Write(append(text, '\n')); err != nil {
			w.err = fmt.Errorf("write: %w", err)
		}
	}
	return w.err
}
