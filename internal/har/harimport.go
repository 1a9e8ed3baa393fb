package har

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// harFile is the part of an HTTP Archive that is read: ours, or that of a browser or proxy.
type harFile struct {
	Log struct {
		Entries []harEntry `json:"entries"`
	} `json:"log"`
}

// ReadArchive converts the entries of an HTTP Archive that contain JSON-RPC or stderr to frames, ordered by
// time. If ok is false, it is not an archive.
func ReadArchive(text string) (frames []wire.Frame, ok bool) {
	var file harFile
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\ufeff"), "{") ||
		json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &file) != nil || file.Log.Entries == nil {
		return nil, false
	}
	for n, e := range file.Log.Entries {
		frames = append(frames, e.frames(n+1)...)
	}
	slices.SortStableFunc(frames, func(a, b wire.Frame) int { return a.Time.Compare(b.Time) })
	return frames, true
}

// frames returns the frames of one entry: request and response.
func (e *harEntry) frames(n int) []wire.Frame {
	if lines, ok := e.written(); ok {
		return []wire.Frame{lines}
	}
	body := e.Response.Content.bytes()
	if !(e.Request.PostData != nil && strings.Contains(e.Request.PostData.Text, `"jsonrpc"`)) &&
		!strings.Contains(string(body), `"jsonrpc"`) {
		return nil
	}
	stream, piped := fmt.Sprintf("%s-%d", strings.ToLower(e.Request.Method), n), e.Request.Method == "MCP"
	if piped {
		stream = e.Request.HTTPVersion // of our own archives: messages that are not HTTP
	}
	var all []wire.Frame
	if e.Request.PostData != nil || !piped {
		sent := wire.Frame{Time: e.Started, From: wire.Client, Conn: e.Conn, Stream: stream,
			Header: headerOf(e.Request.Headers)}
		if e.Request.PostData != nil {
			sent.Body = []byte(e.Request.PostData.Text)
		}
		all = append(all, sent)
	}
	received := e.received(body)
	for i := range received {
		received[i].From, received[i].Conn, received[i].Stream = wire.Server, e.Conn, stream
	}
	return append(all, received...)
}

// received returns the frames of a response: one per event of a stream.
func (e *harEntry) received(body []byte) []wire.Frame {
	first := wire.Frame{Time: e.after(max(0, e.Timings.Wait)), Status: e.Response.Status,
		Header: headerOf(e.Response.Headers)}
	if !strings.HasPrefix(e.Response.Content.MimeType, "text/event-stream") {
		if first.Body = body; len(body) == 0 && first.Status == 0 {
			return nil
		}
		return []wire.Frame{first}
	}
	all := []wire.Frame{first}
	for next := wire.Events(strings.NewReader(string(body))); ; {
		event, err := next()
		if err != nil {
			return all
		}
		if len(all) == 1 && all[0].Event == nil {
			all[0].Event, all[0].Body = event.Event, event.Body
			continue
		}
		all = append(all, wire.Frame{Time: e.after(e.Time), Event: event.Event, Body: event.Body})
	}
}

// after returns the time the given milliseconds after the start of the entry.
func (e *harEntry) after(milliseconds float64) time.Time {
	return e.Started.Add(time.Duration(math.Round(milliseconds * float64(time.Millisecond))))
}

func (c *harContent) bytes() []byte {
	if c.Encoding == "base64" {
		if plain, err := base64.StdEncoding.DecodeString(c.Text); err == nil {
			return plain
		}
	}
	return []byte(c.Text)
}

func headerOf(pairs []harPair) http.Header {
	if len(pairs) == 0 {
		return nil
	}
	header := http.Header{}
	for _, p := range pairs {
		header.Add(p.Name, p.Value)
	}
	return header
}
