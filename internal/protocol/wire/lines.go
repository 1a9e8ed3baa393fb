package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A lineReader cuts a stream into lines of any length up to a limit. What is longer is skipped up to its newline, so
// that one oversized message does not end the session.
type lineReader struct {
	in    *bufio.Reader
	limit int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next returns the next line without its newline, as a frame that says what had to be done to it.
func (l *lineReader) next() (Frame, error) {
	var long []byte
	for {
		part, err := l.in.ReadSlice('\n')
		switch {
		case err == nil:
			return Frame{Body: join(long, part[:len(part)-1])}, nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
			if len(long) > l.limit {
				return l.skip(long), nil
			}
		case len(long)+len(part) > 0:
			return Frame{Body: join(long, part), Fault: "the stream ended inside this line"}, nil
		default:
			return Frame{}, err
		}
	}
}

func join(long, part []byte) []byte {
	if long == nil {
		return append([]byte{}, part...)
	}
	return append(long, part...)
}

// skip drops the rest of a line that is too long and keeps its beginning as evidence.
func (l *lineReader) skip(long []byte) Frame {
	size := len(long)
	kept := bytes.Clone(long[:min(cutKeep, len(long))])
	for {
		part, err := l.in.ReadSlice('\n')
		size += len(part)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == nil {
			size--
		}
		fault := fmt.Sprintf("line of %d bytes is over the limit of %d; only its first %d bytes are kept", size, l.limit, len(kept))
		return Frame{Body: kept, Fault: fault, Err: &LimitError{Limit: l.limit}}
	}
}
