package tap

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// followInterval is how often a running session is checked for new frames.
const followInterval = 100 * time.Millisecond

// maxLine is the maximum length of a line: a message whose bytes are all escaped.
const maxLine = 7 * maxMessage

// Frames calls each for the frames of a session. With follow, it continues until the session has ended. It only
// reads, so that it cannot disturb the recording.
func Frames(ctx context.Context, dir string, s *Session, follow bool, each func(wire.Frame) error) error {
	file, err := os.Open(FramesFile(dir, s.ID))
	for follow && os.IsNotExist(err) && running(dir, s.ID) && sleep(ctx) == nil {
		file, err = os.Open(FramesFile(dir, s.ID)) // it is created with the first frame
	}
	if os.IsNotExist(err) {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	var line []byte
	number := 1
	for last := !follow; ; {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return fmt.Errorf("recording %s is damaged: a line is longer than %d MiB", s.ID, maxLine>>20)
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil && len(bytes.TrimSpace(line)) == 0:
			line, number = line[:0], number+1
		case err == nil:
			f, err := wire.ParseLine(line, number)
			if err != nil {
				return err
			}
			if err := each(f); err != nil {
				return err
			}
			line, number = line[:0], number+1
		case err != io.EOF:
			return err
		case last:
			return nil
		case !running(dir, s.ID):
			last = true // what was written before the end is still read
		default:
			if err := sleep(ctx); err != nil {
				return err
			}
		}
	}
}

// running reports whether a session still runs.
func running(dir, id string) bool {
	s, err := Read(dir, id)
	return err == nil && s.Running()
}

func sleep(ctx context.Context) error {
	select {
	case <-time.After(followInterval):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
