package inspector

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/timeline"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Limits of what is stored of a recording or a transcript.
const (
	maxRecordedBytes  = 4 * maxBytes
	maxRecordedFrames = 100_000
)

// OpenRecording creates a link from a recorded session, and follows the session until it ends.
func (i *Inspector) OpenRecording(dir string, s *tap.Session) (view.Link, error) {
	c := newConn(i, nil, view.NewLink{Name: recordings.ServerName(s)})
	c.state, c.address, c.recorded, c.since = view.Offline, "recording "+s.ID, s, s.Started
	c.log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: maxRecordedBytes, KeepFrames: maxRecordedFrames,
		OnFrame: func(wire.Frame) { c.notify("frames", c.framesEvent) }})
	c.timeline = timeline.New(c.log)
	if err := i.store(c); err != nil {
		return view.Link{}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	c.cancel, c.done = cancel, done
	go func() {
		defer close(done)
		defer cancel()
		c.followRecording(ctx, dir)
	}()
	c.notifyLink()
	return c.snapshot(), nil
}

// followRecording reads the frames of a session until it ends.
func (c *conn) followRecording(ctx context.Context, dir string) {
	frames := timeline.Renumber(c.log)
	err := tap.Frames(ctx, dir, c.recorded, true, func(f wire.Frame) error {
		if wire.IsStderr(f) {
			c.recordStderr(append(f.Body, '\n'), f.Time)
		} else {
			frames.Record(f)
		}
		return ctx.Err()
	})
	if err != nil && ctx.Err() == nil {
		c.mu.Lock()
		c.problem = c.inspector.Problem(err)
		c.mu.Unlock()
		c.notifyLink()
	}
}

// CopyFrame formats the request of a recorded frame as a command or a suite with one test.
func (i *Inspector) CopyFrame(id string, seq int, as string) (view.Copy, error) {
	c, f, err := i.frame(id, seq)
	if err != nil {
		return view.Copy{}, err
	}
	if c.recorded == nil {
		return view.Copy{}, view.Usage("the frames of a transcript have no server").WithHint(
			"open a recording with mcptest tap view --page")
	}
	rows := c.timeline.Query(view.FrameQuery{After: seq - 1, Limit: 1}, nil).Frames
	if len(rows) > 0 && rows[0].Seq == seq && rows[0].Pair != 0 && rows[0].Pair < seq {
		seq = rows[0].Pair
		f, _ = c.log.Frame(seq)
	}
	out := view.Copy{As: as}
	switch dir := i.bench.System.Dir; as {
	case "mcptest":
		out.Text, err = recordings.Command(c.recorded, dir, f)
	case "suite":
		out.Text, err = recordings.SuiteTest(c.recorded, dir, c.log.Since(0), seq)
	default:
		return view.Copy{}, view.Usage("as is %q", as).WithHint("use mcptest or suite")
	}
	if err != nil {
		return view.Copy{}, view.Usage("%v", err)
	}
	out.Text = i.bench.Secrets.Exact(out.Text)
	if strings.Contains(out.Text, redact.Placeholder) {
		out.Note = "secrets are omitted: replace " + redact.Placeholder + " with their values"
	}
	return out, nil
}
