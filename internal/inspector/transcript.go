package inspector

import (
	"bytes"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// ImportTranscript makes a link of a transcript, to look at it offline.
func (i *Inspector) ImportTranscript(in NewTranscript) (Link, error) {
	c := newConn(i, nil, NewLink{Name: in.Name})
	c.state, c.address = Offline, in.Name
	c.log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: 4 * keepBytes, KeepFrames: 100_000})
	c.timeline = &timeline{log: c.log}
	err := wire.ReadTranscript(bytes.NewReader([]byte(in.Text)), func(f wire.Frame) error {
		c.log.Record(f)
		if c.since.After(f.Time) && !f.Time.IsZero() {
			c.since = f.Time
		}
		return nil
	})
	if err != nil {
		return Link{}, usage("it is no transcript: %v", err).hint("a transcript has one JSON object a line: the JSONL export of this page, or a file that mcptest --transcript wrote")
	}
	if c.log.Len() == 0 {
		return Link{}, usage("the transcript has no frames")
	}
	if err := i.keep(c); err != nil {
		return Link{}, err
	}
	c.tellLink()
	return c.snapshot(), nil
}
