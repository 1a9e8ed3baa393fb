// Package timeline reads recorded frames as rows: what each message is, which request it responds to, how long that
// took, and the verdict on the exchange.
package timeline

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Limits of a row: a recording may be from anybody.
const (
	previewBytes = 240
	maxNote      = 1000 // of a fault, a problem or a verdict
	maxProblems  = 20
	maxName      = 200 // of a tool, a stream or an ID
	maxMethod    = 100
)

// A Timeline creates rows from the frames of a transcript. It reads them on request, never while they are
// recorded.
type Timeline struct {
	log *wire.Transcript

	mu      sync.Mutex
	rows    []view.Frame
	pairs   *har.Pairing
	streams map[string]int // HTTP exchanges: connection and stream → the seq of what we sent on it
	methods []string
	read    int // the last frame that was read

	revisions map[string]spec.Revision // of each connection, once it is known
}

// New returns the timeline of a transcript.
func New(log *wire.Transcript) *Timeline { return &Timeline{log: log} }

// update reads new frames, and evicts those that the transcript no longer has.
func (t *Timeline) update() {
	if t.pairs == nil {
		t.pairs, t.streams, t.revisions = har.NewPairing(), map[string]int{}, map[string]spec.Revision{}
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
func (t *Timeline) row(f wire.Frame) view.Frame {
	m := mcp.Read(f)
	r := view.Frame{Seq: f.Seq, Time: f.Time, From: string(f.From), Conn: f.Conn, Stream: clip.Text(f.Stream, maxName),
		Status: f.Status, Size: len(f.Body), Fault: clip.Text(f.Fault, maxNote), Odd: notes(m.Odd),
		Method: clip.Text(m.Method, maxMethod), IDJSON: clip.Text(string(m.ID), maxName), Preview: preview(view.Payload(m))}
	if f.Err != nil {
		r.Fault = clip.Text(f.Err.Error(), maxNote)
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
			r.Kind, r.Verdict = "error", fmt.Sprintf("error %d", m.Error.Code)
		}
		t.pair(&r, m)
	default:
		r.Kind = "other"
	}
	if r.Name == "" && m.Params != nil {
		if r.Name = schema.TextAt(m.Params, "/name"); r.Name == "" {
			r.Name = schema.TextAt(m.Params, "/uri")
		}
		r.Name = clip.Text(r.Name, maxName)
	}
	if m.Method != "" && len(t.methods) < 200 && !slices.Contains(t.methods, r.Method) {
		t.methods = append(t.methods, r.Method)
	}
	return r
}

// pair finds the request of a response, and records what is wrong with it.
func (t *Timeline) pair(r *view.Frame, m mcp.Message) {
	seq, odd := t.pairs.Answer(m)
	if odd != "" && (seq != 0 || t.log.Oldest() == 1) { // the request may have been evicted
		r.Odd = append(slices.Clip(r.Odd), odd)
	}
	asked := t.at(seq)
	if asked == nil {
		return
	}
	asked.Pair, r.Pair, r.Method, r.Name = r.Seq, asked.Seq, asked.Method, asked.Name
	if r.Verdict == "" {
		r.Verdict = t.verdict(&m, asked)
	}
	asked.Verdict = r.Verdict
	r.ElapsedNS = max(0, r.Time.Sub(asked.Time).Nanoseconds())
}

// at returns the row of a frame, or nil.
func (t *Timeline) at(seq int) *view.Frame {
	at, found := slices.BinarySearchFunc(t.rows, seq, func(row view.Frame, seq int) int { return row.Seq - seq })
	if !found {
		return nil
	}
	return &t.rows[at]
}

// notes returns the problems of a message, in the length of a row.
func notes(odd []string) []string {
	var out []string
	for _, text := range odd[:min(len(odd), maxProblems)] {
		out = append(out, clip.Text(text, maxNote))
	}
	return out
}

func preview(body []byte) string {
	return clip.Head(string(body[:min(len(body), previewBytes+1)]), previewBytes)
}

// Query returns the rows that match. With a call, only lists its frames.
func (t *Timeline) Query(q view.FrameQuery, only []int) view.Frames {
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
func (t *Timeline) has(seq int, needle []byte) bool {
	f, ok := t.log.Frame(seq)
	return ok && bytes.Contains(bytes.ToLower(f.Body), needle)
}
