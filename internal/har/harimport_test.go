package har

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func told(frames []wire.Frame) string {
	var out strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&out, "%d %s %d %s event=%t %s\n", f.Time.Nanosecond()/1e6, f.From, f.Status, f.Header.Get("A"),
			f.Event != nil, f.Body)
	}
	return out.String()
}

// What was written as an archive is read again: the same messages, over HTTP and over pipes.
func TestArchiveIsReadAgain(t *testing.T) {
	at := func(ms int) time.Time { return time.Date(2026, 1, 2, 3, 4, 5, ms*1e6, time.UTC) }
	frames := []wire.Frame{
		{Seq: 1, Time: at(0), From: wire.Client, Stream: "post-1", Header: http.Header{"A": {"b"}},
			Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"x"}`)},
		{Seq: 2, Time: at(5), From: wire.Server, Stream: "post-1", Status: 200,
			Header: http.Header{"Content-Type": {"text/event-stream"}, "A": {"c"}}, Event: &wire.Event{},
			Body: []byte(`{"jsonrpc":"2.0","method":"notifications/x"}`)},
		{Seq: 3, Time: at(9), From: wire.Server, Stream: "post-1", Event: &wire.Event{},
			Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"n":1.0}}`)},
		{Seq: 4, Time: at(10), From: wire.Client, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)},
		{Seq: 5, Time: at(11), From: wire.Server, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","method":"notifications/y"}`)},
		{Seq: 6, Time: at(12), From: wire.Server, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","id":7,"result":{}}`)},
		{Seq: 7, Time: at(13), From: wire.Server, Stream: "stdio", Body: []byte("{\"jsonrpc\":\"\xff\"}")},
	}
	text, err := Archive(frames, "http://h/mcp", "1")
	if err != nil {
		t.Fatal(err)
	}
	got, ok := ReadArchive(string(text))
	if !ok || told(got) != told(frames) {
		t.Errorf("read again\n%swant\n%s", told(got), told(frames))
	}
}

// A browser's archive has much that is no message.
func TestArchiveOfABrowser(t *testing.T) {
	const browser = `{"log":{"entries":[
		{"startedDateTime":"2026-01-02T03:04:05.100Z","time":8,"request":{"method":"GET","url":"http://h/main.css","headers":[]},"response":{"status":200,"headers":[],"content":{"mimeType":"text/css","text":"a{}"}},"timings":{"wait":-1}},
		{"startedDateTime":"2026-01-02T03:04:05.000Z","time":8,"request":{"method":"POST","url":"http://h/mcp","headers":[{"name":"a","value":"b"}],"postData":{"mimeType":"application/json","text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}},
		 "response":{"status":200,"headers":[],"content":{"mimeType":"application/json","text":"eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsInJlc3VsdCI6e319","encoding":"base64"}},"timings":{"wait":6}}]}}`
	got, ok := ReadArchive(browser)
	want := "0 client 0 b event=false {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n6 server 200  event=false " +
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
	if !ok || told(got) != want {
		t.Errorf("read %t\n%swant\n%s", ok, told(got), want)
	}
	for _, other := range []string{"", "hello", `{"seq":1}`, "{\"log\":{}}", "[]", `{"log":{"entries":1}}`} {
		if _, ok := ReadArchive(other); ok {
			t.Errorf("%s is taken for an archive", other)
		}
	}
}
