package wire

import (
	"bytes"
	"io"
	"sync"
)

// unfinishedKeep is how much of a line without an end is kept.
const unfinishedKeep = 1 << 10

// An unfinishedLine reads a stream and keeps the beginning of the line that has not ended yet.
type unfinishedLine struct {
	in io.Reader

	mu   sync.Mutex
	line []byte
	size int
}

// Read reads on.
func (u *unfinishedLine) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	rest := p[:n]
	u.mu.Lock()
	defer u.mu.Unlock()
	if end := bytes.LastIndexByte(rest, '\n'); end >= 0 {
		u.line, u.size, rest = u.line[:0], 0, rest[end+1:]
	}
	u.line = append(u.line, rest[:min(len(rest), unfinishedKeep-len(u.line))]...)
	u.size += len(rest)
	return n, err
}

// get returns the beginning of the line that has not ended yet, and its size so far.
func (u *unfinishedLine) get() ([]byte, int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return bytes.Clone(u.line), u.size
}
