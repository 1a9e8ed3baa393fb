package inspector

import (
	"bytes"

	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// ExportFrames returns the transcript of a connection as a file: jsonl can be imported again, har can be opened
// by other tools. Stderr lines of the process are placed between the frames, as in the timeline. Secret headers
// and all known secrets are replaced by placeholders.
func (i *Inspector) ExportFrames(id, format string) ([]byte, error) {
	c, err := i.conn(id)
	if err != nil {
		return nil, err
	}
	frames := c.log.Since(0)
	for n := range frames {
		frames[n] = i.clean(frames[n])
	}
	written, err := i.StderrLines(id, 0)
	if err != nil {
		return nil, err
	}
	frames = har.MergeStderr(frames, written.Lines)
	switch format {
	case "jsonl":
		var out bytes.Buffer
		err := wire.WriteTranscript(&out, frames, nil)
		return out.Bytes(), err
	case "har":
		c.mu.Lock()
		address := c.address
		c.mu.Unlock()
		return har.Archive(frames, address, i.bench.Version)
	}
	return nil, view.Usage("invalid value %q for format", format).WithHint("use jsonl or har")
}

// clean returns a frame without secrets.
func (i *Inspector) clean(f wire.Frame) wire.Frame {
	f.Header = i.bench.Secrets.Header(f.Header)
	if f.Body != nil {
		f.Body = []byte(i.bench.Secrets.Exact(string(f.Body)))
	}
	return f
}
