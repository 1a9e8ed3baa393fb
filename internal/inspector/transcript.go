package inspector

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// ImportTranscript creates a link from a transcript or an HTTP archive, to view it offline.
func (i *Inspector) ImportTranscript(in NewTranscript) (Link, error) {
	c := newConn(i, nil, NewLink{Name: in.Name})
	c.state, c.address = Offline, in.Name
	c.log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: 4 * keepBytes, KeepFrames: 100_000})
	c.timeline = &timeline{log: c.log}
	if err := c.readFrames(in.Text); err != nil {
		return Link{}, usage("not a transcript: %v", err).hint("use the JSONL export of this page, a file written by mcptest --transcript, with one JSON object per line, or an HTTP archive (HAR)")
	}
	if c.log.Len() == 0 {
		return Link{}, usage("no MCP messages found")
	}
	if err := i.keep(c); err != nil {
		return Link{}, err
	}
	c.tellLink()
	return c.snapshot(), nil
}

// readFrames fills the log from a file, and the stderr lines next to it.
func (c *conn) readFrames(text string) error {
	record := func(f wire.Frame) error {
		if wire.IsStderr(f) {
			c.noteStderr(append(f.Body, '\n'), f.Time, c.log.Len())
		} else {
			c.log.Record(f)
		}
		if c.since.After(f.Time) && !f.Time.IsZero() {
			c.since = f.Time
		}
		return nil
	}
	frames, isArchive := readArchive(text)
	if !isArchive {
		return wire.ReadTranscript(strings.NewReader(text), record)
	}
	for _, f := range frames {
		_ = record(f)
	}
	return nil
}
