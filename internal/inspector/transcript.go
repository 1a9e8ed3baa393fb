package inspector

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeline"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// ImportTranscript creates a link from a transcript or an HTTP archive, to view it offline.
func (i *Inspector) ImportTranscript(in view.NewTranscript) (view.Link, error) {
	c := newConn(i, nil, view.NewLink{Name: in.Name})
	c.state, c.address = view.Offline, in.Name
	c.log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: maxRecordedBytes, KeepFrames: maxRecordedFrames})
	c.timeline = timeline.New(c.log)
	if err := c.readFrames(in.Text); err != nil {
		return view.Link{}, view.Usage("not a transcript: %v",
			err).WithHint("use the JSONL export of this page, a file written by mcptest --transcript, with one JSON " +
			"object per line, or an HTTP archive (HAR)")
	}
	if c.log.Len() == 0 {
		return view.Link{}, view.Usage("no MCP messages found")
	}
	if err := i.store(c); err != nil {
		return view.Link{}, err
	}
	c.notifyLink()
	return c.snapshot(), nil
}

// readFrames fills the log from a file, and the stderr lines next to it.
func (c *conn) readFrames(text string) error {
	frames := timeline.Renumber(c.log)
	record := func(f wire.Frame) error {
		if wire.IsStderr(f) {
			c.noteStderr(append(f.Body, '\n'), f.Time, c.log.Len())
		} else {
			frames.Record(f)
		}
		if c.since.After(f.Time) && !f.Time.IsZero() {
			c.since = f.Time
		}
		return nil
	}
	archived, isArchive := har.ReadArchive(text)
	if !isArchive {
		return wire.ReadTranscript(strings.NewReader(text), record)
	}
	for _, f := range archived {
		_ = record(f)
	}
	return nil
}
