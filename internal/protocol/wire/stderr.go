package wire

import (
	"io"
	"sync"
)

// stderrKeep limits the stored stderr output of a process.
const stderrKeep = 1 << 20

// A tail stores the end of a stream of bytes.
type tail struct {
	mu   sync.Mutex
	ring []byte
	next int  // where the next byte goes
	full bool // the ring has been filled once
}

// drain reads r to its end and stores the last part. Heard is called with all of it; it may be nil.
func (t *tail) drain(r io.Reader, heard func([]byte)) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		t.add(buf[:n])
		if n > 0 && heard != nil {
			heard(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

func (t *tail) add(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.full && len(t.ring)+len(p) <= stderrKeep {
		t.ring = append(t.ring, p...) // most processes never fill the ring
		return
	}
	if !t.full {
		t.next, t.full = len(t.ring)%stderrKeep, true
		t.ring = append(t.ring, make([]byte, stderrKeep-len(t.ring))...)
	}
	for len(p) > 0 {
		n := copy(t.ring[t.next:], p)
		t.next = (t.next + n) % stderrKeep
		p = p[n:]
	}
}

// last returns the end of the stream, n bytes at most.
func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.ring
	if t.full {
		all = append(append([]byte(nil), t.ring[t.next:]...), t.ring[:t.next]...)
	}
	return string(all[max(0, len(all)-n):])
}
