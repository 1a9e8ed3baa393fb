package tap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// maxSession is the size limit of one recording.
const maxSession = 100 << 20

// retryInterval is how long a sink waits after a failed write.
const retryInterval = time.Second

// A sink is the file with the frames. A write that fails loses its frames; the next frame that is written notes
// that. The file always ends with a whole line.
type sink struct {
	path  string
	limit int64
	file  *os.File
	size  int64
	retry time.Time // not before
	gap   Loss      // since the last written frame
	total Loss
}

// open creates the file and its folder.
func (s *sink) open() error {
	if s.file != nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_WRONLY, 0o600)
	s.file = file
	return err
}

// ready returns whether frames can be written; if not, why.
func (s *sink) ready(size int) error {
	switch {
	case s.size+int64(size) > s.limit:
		return fmt.Errorf("the recording has reached its limit of %d MiB", s.limit>>20)
	case time.Now().Before(s.retry):
		return errors.New(s.total.Reason)
	}
	return s.open()
}

// write appends lines, one per frame. If that fails, the file is cut back to whole lines, and the rest counts as lost.
func (s *sink) write(lines []byte, frames int) {
	err := s.ready(len(lines))
	if err == nil {
		var n int
		n, err = s.file.Write(lines)
		whole := bytes.LastIndexByte(lines[:n], '\n') + 1
		s.size += int64(whole)
		frames -= bytes.Count(lines[:whole], []byte("\n"))
		if lines = lines[whole:]; whole > 0 {
			s.gap = Loss{}
		}
	}
	if err == nil {
		return
	}
	if s.file != nil {
		_ = s.file.Truncate(s.size)
		_, _ = s.file.Seek(s.size, io.SeekStart)
	}
	if now := time.Now(); !now.Before(s.retry) {
		s.retry = now.Add(retryInterval)
	}
	s.lose(frames, int64(len(lines)), reason(err))
}

// lose counts frames that were not written.
func (s *sink) lose(frames int, size int64, why string) {
	for _, l := range []*Loss{&s.gap, &s.total} {
		l.Frames, l.Bytes, l.Reason = l.Frames+frames, l.Bytes+size, why
	}
}

// note returns what the next frame has to say about the ones before it.
func (s *sink) note() string {
	if s.gap.Frames == 0 {
		return ""
	}
	return fmt.Sprintf("%d frames before this one are not recorded: %s", s.gap.Frames, s.gap.Reason)
}

// reason returns an error without the path, which contains the name of the user.
func reason(err error) string {
	var number syscall.Errno
	var path *fs.PathError
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}

func (s *sink) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
}
