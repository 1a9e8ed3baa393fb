package inspector

import (
	"bytes"
	"slices"
	"sort"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// previewBytes is the length of the body preview in a row.
const previewBytes = 240

// A timeline creates rows from the frames of a transcript. It reads them on request, never while they are
// recorded.
type timeline struct {
	log *wire.Transcript

	mu      sync.Mutex
	rows    []view.Frame
	pairs   *har.Pairing
	streams map[string]int // HTTP exchanges: connection and stream → the seq of what we sent on it
	methods []string
	read    int // the last frame that was read
}

// update reads new frames, and evicts those that the transcript no longer has.
func (t *timeline) update() {
	if t.pairs == nil {
		t.pairs, t.streams = har.NewPairing(), map[string]int{}
	}
	for _, f := range t.log.Since(t.read) {
		t.rows = append(t.rows, t.row(f))
		t.read = f.Seq
	}
	if gone := sort.Search(len(t.rows), func(n int) bool { return t.rows[n].Seq >= t.log.Oldest() }); gone > 0 {
		t.rows = slices.Clone(t.rows[gone:])
		t.pairs.Remove(t.log.Oldest())
	}
}

// row reads one frame.
func (t *timeline) row(f wire.Frame) view.Frame {
	m := mcp.Read(f)
	r := view.Frame{Seq: f.Seq, Time: f.Time, From: string(f.From), Conn: f.Conn, Stream: f.Stream, Status: f.Status,
		Size: len(f.Body), Fault: f.Fault, Odd: m.Odd,
		Method: m.Method, IDJSON: string(m.ID), Preview: preview(view.Payload(m))}
	if f.Err != nil {
		r.Fault = f.Err.Error()
	}
	stream := har.ConnOf(f) + " " + f.Stream
	if method, _ := har.HTTPMethod(f.Stream); f.From == wire.Client && len(f.Body) > 0 && method == "POST" {
		t.streams[stream] = f.Seq
	}
	if !m.IsResponse() {
		t.pairs.Note(m)
	}
	switch {
	case len(f.Body) == 0:
		r.Kind, r.Odd = "http", nil
		if sent := t.at(t.streams[stream]); sent != nil && f.From == wire.Server {
			r.Method, r.Name = sent.Method, sent.Name
		}
	case len(m.Rest) > 0:
		r.Kind = "batch"
	case m.IsRequest():
		r.Kind = "request"
	case m.IsNotification():
		r.Kind = "notification"
	case m.IsResponse():
		r.Kind = "result"
		if m.Error != nil {
			r.Kind = "error"
		}
		t.pair(&r, m)
	default:
		r.Kind = "other"
	}
	if r.Name == "" && m.Params != nil {
		if r.Name = schema.TextAt(m.Params, "/name"); r.Name == "" {
			r.Name = schema.TextAt(m.Params, "/uri")
		}
		r.Name = clip.Text(r.Name, 200)
	}
	if m.Method != "" && len(t.methods) < 200 && !slices.Contains(t.methods, clip.Text(m.Method, 100)) {
		t.methods = append(t.methods, clip.Text(m.Method, 100))
	}
	return r
}

// pair finds the request of a response, and records what is wrong with it.
func (t *timeline) pair(r *view.Frame, m mcp.Message) {
	seq, odd := t.pairs.Answer(m)
	if odd != "" && (seq != 0 || t.log.Oldest() == 1) { // the request may have been evicted
		r.Odd = append(slices.Clip(r.Odd), odd)
	}
	asked := t.at(seq)
	if asked == nil {
		return
	}
	asked.Pair, r.Pair, r.Method, r.Name = r.Seq, asked.Seq, asked.Method, asked.Name
	r.ElapsedNS = max(0, r.Time.Sub(asked.Time).Nanoseconds())
}

// at returns the row of a frame, or nil.
func (t *timeline) at(seq int) *view.Frame {
	at, found := slices.BinarySearchFunc(t.rows, seq, func(row view.Frame, seq int) int { return row.Seq - seq })
	if !found {
		return nil
	}
	return &t.rows[at]
}

func preview(body []byte) string {
	return clip.Head(string(body[:min(len(body), previewBytes+1)]), previewBytes)
}

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
	return c.timeline.query(q, only), nil
}

func (t *timeline) query(q view.FrameQuery, only []int) view.Frames {
	if q.Limit <= 0 || q.Limit > 10_000 {
		q.Limit = 1000
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.update()
	out := view.Frames{Frames: []view.Frame{}, Last: t.read, Methods: append([]string{}, t.methods...)}
	if len(t.rows) > 0 {
		out.First = t.rows[0].Seq
	}
	needle := bytes.ToLower([]byte(q.Search))
	for _, r := range t.rows {
		switch {
		case r.Seq <= q.After, q.Side != "" && r.From != q.Side, q.Method != "" && r.Method != q.Method,
			q.Kind != "" && r.Kind != q.Kind:
			continue
		case q.Call > 0 && !slices.Contains(only, r.Seq), len(needle) > 0 && !t.has(r.Seq, needle):
			continue
		}
		if len(out.Frames) == q.Limit {
			out.More = true
			break
		}
		out.Frames = append(out.Frames, r)
	}
	return out
}

// has reports whether the body of a frame contains a text, ignoring case.
func (t *timeline) has(seq int, needle []byte) bool {
	f, ok := t.log.Frame(seq)
	return ok && bytes.Contains(bytes.ToLower(f.Body), needle)
}

// OneFrame returns a complete frame, without secrets in its header.
func (i *Inspector) OneFrame(id string, seq int) (view.FrameDetail, error) {
	c, f, err := i.frame(id, seq)
	if err != nil {
		return view.FrameDetail{}, err
	}
	rows := c.timeline.query(view.FrameQuery{After: seq - 1, Limit: 1}, nil).Frames
	out := view.FrameDetail{Header: []view.HeaderLine{}}
	if len(rows) > 0 && rows[0].Seq == seq {
		out.Frame = rows[0]
	}
	clean := i.bench.Secrets.Header(f.Header)
	for _, name := range sortedNames(clean) {
		for _, value := range clean[name] {
			out.Header = append(out.Header, view.HeaderLine{Name: name, Value: value})
		}
	}
	if f.Event != nil {
		out.Event, out.EventID = f.Event.Name, f.Event.ID
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
