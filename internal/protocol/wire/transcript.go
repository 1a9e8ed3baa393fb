package wire

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// Default limits of a Transcript in memory.
const (
	defaultKeepFrames = 10_000
	defaultKeepBytes  = 256 << 20
)

// A Transcript records every frame in order. The latest are kept in memory; all of them are written to Out, if
// set. The nil Transcript records nothing.
type Transcript struct {
	opts   TranscriptOptions
	parent *Transcript // of a branch or a connection
	name   string      // of a branch
	conn   int         // of a connection

	mu      sync.Mutex
	frames  []Frame // a ring: frames[head] is the oldest
	head    int
	bytes   int
	seq     int
	conns   int // connections recorded so far
	failure error
}

// TranscriptOptions configure a Transcript.
type TranscriptOptions struct {
	KeepFrames int                           // frames kept in memory; 0 means 10,000
	KeepBytes  int                           // bytes kept in memory; 0 means 256 MiB
	Out        io.Writer                     // every frame is written here as a line of JSON
	Redact     func(http.Header) http.Header // redacts a header for Out; nil writes it unchanged
	Stderr     func(string) string           // redacts a stderr line; nil records none
	// called for every frame, in order, on the goroutine that sent or received it; it must not use the transcript
	OnFrame func(Frame)
}

// NewTranscript returns an empty transcript.
func NewTranscript(opts *TranscriptOptions) *Transcript {
	t := &Transcript{}
	if opts != nil {
		t.opts = *opts
	}
	if t.opts.KeepFrames == 0 {
		t.opts.KeepFrames = defaultKeepFrames
	}
	if t.opts.KeepBytes == 0 {
		t.opts.KeepBytes = defaultKeepBytes
	}
	return t
}

// Record sets the number and time of the frame, stores it and returns it.
func (t *Transcript) Record(f Frame) Frame {
	if f.Time.IsZero() {
		f.Time = time.Now()
	}
	if t == nil {
		return f
	}
	if t.parent != nil {
		return t.recordAbove(f)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	f.Seq = t.seq
	t.store(f)
	if t.opts.Out != nil && t.failure == nil {
		t.failure = t.write(f)
	}
	if t.opts.OnFrame != nil {
		t.opts.OnFrame(f)
	}
	return f
}

// Watched reports whether anything besides memory receives the frames: a file or a function.
func (t *Transcript) Watched() bool {
	return t != nil && (t.opts.Out != nil || t.opts.OnFrame != nil || t.parent.Watched())
}

// Branch returns a transcript for one of several connections that are recorded together. Its frames are
// numbered and stored only by t, with their stream prefixed by the name; the branch itself stores none. hear is
// called for each, in the order of the branch, and may be nil.
func (t *Transcript) Branch(name string, hear func(Frame)) *Transcript {
	return &Transcript{parent: t, name: name, opts: TranscriptOptions{OnFrame: hear}}
}

// connection returns a transcript that sets the connection number of its frames. They are stored only by t.
func (t *Transcript) connection() *Transcript {
	if t == nil {
		return nil
	}
	root := t
	for root.parent != nil {
		root = root.parent
	}
	root.mu.Lock()
	defer root.mu.Unlock()
	root.conns++
	return &Transcript{parent: t, conn: root.conns}
}

// recordAbove records the frame of a branch or a connection.
func (t *Transcript) recordAbove(f Frame) Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conn != 0 {
		f.Conn = t.conn
	}
	above := f
	above.Stream = t.streamAbove(f.Stream)
	f.Seq = t.parent.Record(above).Seq
	if t.opts.OnFrame != nil {
		t.opts.OnFrame(f)
	}
	return f
}

// streamAbove returns the name of a stream in the parent.
func (t *Transcript) streamAbove(stream string) string {
	if t.name == "" {
		return stream
	}
	return t.name + "/" + stream
}

// store puts the frame into the ring and evicts the oldest ones over the limits.
func (t *Transcript) store(f Frame) {
	t.frames = append(t.frames, f)
	t.bytes += sizeOf(f)
	for len(t.frames)-t.head > 1 && (len(t.frames)-t.head > t.opts.KeepFrames || t.bytes > t.opts.KeepBytes) {
		t.bytes -= sizeOf(t.frames[t.head])
		t.frames[t.head] = Frame{}
		t.head++
	}
	if t.head > len(t.frames)/2 && t.head > 64 {
		n := copy(t.frames, t.frames[t.head:])
		clear(t.frames[n:])
		t.frames, t.head = t.frames[:n], 0
	}
}

// sizeOf returns how many bytes of texts a frame has: a recording from somebody else may have large ones anywhere.
func sizeOf(f Frame) int {
	size := len(f.Body) + len(f.Stream) + len(f.Fault)
	for name, values := range f.Header {
		size += len(name)
		for _, value := range values {
			size += len(value)
		}
	}
	return size
}

// Since returns the frames after number seq that are still in memory.
func (t *Transcript) Since(seq int) []Frame {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.frames[t.head:]
	first := t.seq - len(kept) // number of the frame before the first stored one
	return append([]Frame(nil), kept[min(max(seq-first, 0), len(kept)):]...)
}

// Frame returns the frame with number seq, if it is still in memory.
func (t *Transcript) Frame(seq int) (Frame, bool) {
	if t == nil {
		return Frame{}, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at := seq - t.oldestLocked()
	if at < 0 || at >= len(t.frames)-t.head {
		return Frame{}, false
	}
	return t.frames[t.head+at], true
}

// Oldest returns the number of the oldest frame that is still in memory; one more than the last if there is
// none.
func (t *Transcript) Oldest() int {
	if t == nil {
		return 1
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.oldestLocked()
}

func (t *Transcript) oldestLocked() int { return t.seq - (len(t.frames) - t.head) + 1 }

// Len returns the number of frames recorded so far.
func (t *Transcript) Len() int {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seq
}

// Err returns the first write error of Out, if there was one. Recording continues in memory after it.
func (t *Transcript) Err() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failure
}
