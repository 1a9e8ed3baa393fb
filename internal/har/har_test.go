package har

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An exchange over HTTP is one entry, with its events in one body; over pipes a request and its answer are one.
func TestArchive(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	frames := []wire.Frame{
		{Seq: 1, Time: at(0), From: wire.Client, Stream: "post-1", Header: http.Header{"A": {"b"}},
			Body: []byte(`{"id":1}`)},
		{Seq: 2, Time: at(5), From: wire.Server, Stream: "post-1", Status: 200,
			Header: http.Header{"Content-Type": {"text/event-stream"}}, Event: &wire.Event{}, Body: []byte(`{"x":1}`)},
		{Seq: 3, Time: at(9), From: wire.Server, Stream: "post-1", Event: &wire.Event{}, Body: []byte("a\nb")},
		{Seq: 4, Time: at(10), From: wire.Client, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)},
		{Seq: 5, Time: at(11), From: wire.Server, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","method":"notifications/x"}`)},
		{Seq: 6, Time: at(12), From: wire.Server, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","id":7,"result":{}}`)},
		{Seq: 7, Time: at(13), From: wire.Server, Stream: "stdio", Body: []byte("\xff\xfe")},
	}
	text, err := Archive(frames, "http://h/mcp", "1")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Log struct {
			Version string
			Entries []harEntry
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	entries := got.Log.Entries
	if got.Log.Version != "1.2" || len(entries) != 4 {
		t.Fatalf("%d entries of version %s, want 4 of 1.2:\n%s", len(entries), got.Log.Version, text)
	}
	if e := entries[0]; e.Request.Method != "POST" || e.Request.URL != "http://h/mcp" ||
		e.Request.PostData.Text != `{"id":1}` || e.Response.Status != 200 ||
		e.Response.Content.Text != "data: {\"x\":1}\n\ndata: a\ndata: b\n\n" || e.Time != 9 || e.Timings.Wait != 5 {
		t.Errorf("over HTTP: %+v", e)
	}
	if e := entries[1]; e.Request.Method != "MCP" ||
		e.Response.Content.Text != `{"jsonrpc":"2.0","id":7,"result":{}}` || e.Time != 2 || len(e.Frames) != 2 {
		t.Errorf("over pipes: %+v", e)
	}
	if e := entries[3]; e.Response.Content.Encoding != "base64" {
		t.Errorf("no text: %+v", e)
	}
}
