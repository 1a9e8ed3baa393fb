package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A lineReader splits a stream into lines up to a limit. The rest of a longer line is skipped, so that one
// oversized message does not end the session.
type lineReader struct {
	in    *bufio.Reader
	limit int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// FaultCut is the Fault of a frame that was cut off by the end of the stream.
const FaultCut = "the stream ended inside this message"

// next returns the next line without its newline, as a frame with what was changed.
func (l *lineReader) next() (Frame, error) {
	var long []byte
	for {
		part, err := l.in.ReadSlice('\n')
		switch {
		case err == nil && len(long)+len(part)-1 > l.limit:
			return l.over(join(long, part[:len(part)-1]), 0), nil
		case err == nil:
			return Frame{Body: join(long, part[:len(part)-1])}, nil
		case errors.Is(err, bufio.ErrBufferFull):
			if long = append(long, part...); len(long) > l.limit {
				return l.over(long, l.skip()), nil
			}
		case len(long)+len(part) > l.limit:
			return l.over(join(long, part), 0), nil
		case len(long)+len(part) > 0:
			return Frame{Body: join(long, part), Fault: FaultCut}, nil
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

// skip drops the rest of a line and returns its size.
func (l *lineReader) skip() int {
	for size := 0; ; {
		part, err := l.in.ReadSlice('\n')
		size += len(part)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == nil {
			size--
		}
		return size
	}
}

// over returns the frame of a line that is too long, with its beginning as evidence.
func (l *lineReader) over(line []byte, skipped int) Frame {
	kept := bytes.Clone(line[:min(cutKeep, l.limit)])
	fault := fmt.Sprintf("line of %d bytes is over the limit of %d; only its first %d bytes are kept",
		len(line)+skipped, l.limit, len(kept))
	return Frame{Body: kept, Fault: fault, Err: &LimitError{Limit: l.limit}}
}
