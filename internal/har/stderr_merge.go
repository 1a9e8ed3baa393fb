package har

import (
	"math"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// MergeStderr puts stderr lines between the frames, each after the frame that preceded it.
func MergeStderr(frames []wire.Frame, lines []view.StderrLine) []wire.Frame {
	all := make([]wire.Frame, 0, len(frames)+len(lines))
	next := 0
	write := func(before int) {
		for ; next < len(lines) && lines[next].After < before; next++ {
			all = append(all, wire.Frame{Time: lines[next].Time, From: wire.Server, Stream: wire.StderrStream,
				Body: []byte(lines[next].Text)})
		}
	}
	for _, f := range frames {
		write(f.Seq)
		all = append(all, f)
	}
	write(math.MaxInt)
	return all
}

// write adds stderr lines to an archive. Lines of the same time are one entry.
func (a *archiver) write(f wire.Frame) {
	key := wire.StderrStream + "/" + f.Time.Format(time.RFC3339Nano)
	e := a.byKey[key]
	if e == nil {
		e = a.begin(f, false)
		e.Frames, e.Comment, e.Response.Content.MimeType = []int{}, "server stderr, not a message", "text/plain"
		a.byKey[key] = e
	}
	e.Response.Content.Text += string(f.Body) + "\n"
	e.Response.Content.Size = len(e.Response.Content.Text)
	e.Response.BodySize = e.Response.Content.Size
}

// written returns the lines of an entry created by write, as one frame; ok is false for any other entry.
func (e *harEntry) written() (f wire.Frame, ok bool) {
	if e.Request.Method != "MCP" || e.Request.HTTPVersion != wire.StderrStream {
		return wire.Frame{}, false
	}
	text := strings.TrimSuffix(string(e.Response.Content.bytes()), "\n")
	return wire.Frame{Time: e.Started, From: wire.Server, Stream: wire.StderrStream, Body: []byte(text)}, true
}
