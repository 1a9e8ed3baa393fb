package inspector

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Frames lists rows of the timeline.
func (i *Inspector) Frames(id string, q view.FrameQuery) (view.Frames, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Frames{}, err
	}
	var only []int
	if q.Call > 0 {
		_, one, err := i.call(id, q.Call)
		if err != nil {
			return view.Frames{}, err
		}
		c.mu.Lock()
		only = c.framesOf(one, true)
		c.mu.Unlock()
	}
	return c.timeline.Query(q, only), nil
}

// Limits of the header of a frame that the page gets; a transcript from somebody else may have any.
const (
	maxHeaderLines = 200
	maxHeaderLine  = 16 << 10
)

// OneFrame returns a complete frame, without secrets in its header.
func (i *Inspector) OneFrame(id string, seq int) (view.FrameDetail, error) {
	c, f, err := i.frame(id, seq)
	if err != nil {
		return view.FrameDetail{}, err
	}
	rows := c.timeline.Query(view.FrameQuery{After: seq - 1, Limit: 1}, nil).Frames
	out := view.FrameDetail{Header: []view.HeaderLine{}}
	if len(rows) > 0 && rows[0].Seq == seq {
		out.Frame = rows[0]
	}
	clean := i.bench.Secrets.Header(f.Header)
	for _, name := range sortedNames(clean) {
		for _, value := range clean[name] {
			if len(out.Header) < maxHeaderLines {
				out.Header = append(out.Header, view.HeaderLine{Name: clip.Text(name, maxHeaderLine),
					Value: clip.Text(value, maxHeaderLine)})
			}
		}
	}
	if f.Event != nil {
		out.Event, out.EventID = clip.Text(f.Event.Name, maxHeaderLine), clip.Text(f.Event.ID, maxHeaderLine)
	}
	if len(f.Body) > view.Inline {
		out.Fetch = true
		return out, nil
	}
	out.Body = string(f.Body)
	if syntaxOf(out.Body) == nil {
		out.Pretty = view.Indent(f.Body)
	}
	return out, nil
}

// FrameBytes returns the body of a frame.
func (i *Inspector) FrameBytes(id string, seq int) ([]byte, error) {
	_, f, err := i.frame(id, seq)
	return f.Body, err
}

func (i *Inspector) frame(id string, seq int) (*conn, wire.Frame, error) {
	c, err := i.conn(id)
	if err != nil {
		return nil, wire.Frame{}, err
	}
	f, ok := c.log.Frame(seq)
	if !ok {
		return nil, wire.Frame{}, view.NotFound("unknown frame %d",
			seq).WithHint("it may have been evicted from the history")
	}
	return c, f, nil
}

func sortedNames(header map[string][]string) []string {
	var names []string
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
