package tapview

import (
	"context"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/timeline"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Limits of what is shown of a session; older frames are dropped.
const (
	maxRows       = 100_000
	maxBytes      = 128 << 20
	maxStderrLine = 4 << 10
)

// A row is a line of the list: a frame, or a line of stderr.
type row struct {
	view.Frame
	stderr string
}

// isFrame reports whether a row is not a line of stderr.
func (r *row) isFrame() bool { return r.Seq != 0 }

// A feed reads the frames of a session.
type feed struct {
	log  *wire.Transcript
	rows *timeline.Timeline

	mu      sync.Mutex
	pending []entry // not taken yet
	err     error   // why no more frames follow
}

// An entry is the number of a frame, or a line of stderr.
type entry struct {
	seq    int
	at     time.Time
	stderr string
}

func newFeed() *feed {
	log := wire.NewTranscript(&wire.TranscriptOptions{KeepFrames: maxRows, KeepBytes: maxBytes})
	return &feed{log: log, rows: timeline.New(log)}
}

// read reads frames until the session has ended.
func (f *feed) read(ctx context.Context, dir string, s *tap.Session) {
	frames := timeline.Renumber(f.log)
	err := tap.Frames(ctx, dir, s, true, func(frame wire.Frame) error {
		e := entry{at: frame.Time}
		if wire.IsStderr(frame) {
			e.stderr = clip.Text(string(frame.Body), maxStderrLine)
		} else {
			frames.Record(frame)
			e.seq = f.log.Len()
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.pending = append(f.pending, e); len(f.pending) > 2*maxRows {
			f.pending = append([]entry(nil), f.pending[maxRows:]...)
		}
		return ctx.Err()
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() == nil {
		f.err = err
	}
}

// take returns what was read since the last call, and why no more follows.
func (f *feed) take() ([]entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	taken := f.pending
	f.pending = nil
	return taken, f.err
}

// since returns the rows of the frames after one.
func (f *feed) since(seq int) []view.Frame {
	var all []view.Frame
	for {
		page := f.rows.Query(view.FrameQuery{After: seq, Limit: 10_000}, nil)
		all = append(all, page.Frames...)
		if !page.More || len(page.Frames) == 0 {
			return all
		}
		seq = all[len(all)-1].Seq
	}
}
