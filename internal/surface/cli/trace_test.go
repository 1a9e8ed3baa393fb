package cli

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// On a terminal, a frame says what it is, and its body is folded. In a pipe, it is one line with the exact bytes.
func TestTrace(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	frames := []wire.Frame{
		{Seq: 1, From: wire.Client, Stream: "stdio", Time: start,
			Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",` +
				`"_meta":{"progressToken":7}}}`)},
		{From: wire.Server, Stream: "stderr", Time: start, Body: []byte("working")},
		{Seq: 2, From: wire.Server, Stream: "stdio", Time: start.Add(1500 * time.Millisecond),
			Body: []byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"` +
				strings.Repeat("long ", 30) + `"}]}}`)},
		{Seq: 3, From: wire.Server, Stream: "stdio", Time: start.Add(2 * time.Second), Body: []byte("noise\x1b[2J")},
		{Seq: 4, From: wire.Server, Stream: "stdio", Time: start.Add(2 * time.Second), Err: errors.New("closed")},
		{Seq: 5, From: wire.Server, Stream: "stdio", Time: start.Add(3 * time.Second),
			Body: []byte(`{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"again"}}`)},
	}
	write := func(columns int) string {
		var out strings.Builder
		tr := &tracer{w: &out, columns: columns, scrub: func(s string) string { return s },
			redact: func(h http.Header) http.Header { return h }}
		for _, f := range frames {
			tr.frame(f)
		}
		return out.String()
	}
	if diff := cmp.Diff(`→ 1 +0.000s stdio tools/call echo, id 7
  {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "echo", "_meta": {…}}
  }
│ stderr working
← 2 +1.500s stdio tools/call echo: result after 1.5s
  {
    "jsonrpc": "2.0",
    "id": 7,
    "result": {
      "content": [
        {"type": "text", "text": "long long long… 178 bytes
      ]
    }
  }
← 3 +2.000s stdio not a message: noise\x1b[2J
  noise\x1b[2J
← 4 +2.000s stdio no message
  ! closed
← 5 +3.000s stdio response without a request: error 1: again
  {
    "jsonrpc": "2.0",
    "id": 7,
    "error": {"code": 1, "message": "again"}
  }
`, write(60)); diff != "" {
		t.Errorf("terminal (-want +got):\n%s", diff)
	}
	piped := write(0)
	for _, want := range []string{"→ 1 03:04:05.000 stdio " + string(frames[0].Body) + "\n",
		strings.Repeat("long ", 30)} {
		if !strings.Contains(piped, want) {
			t.Errorf("pipe: %s; want %s", piped, want)
		}
	}
}

// The stream of a frame is read from a transcript file, which may be from anybody.
func TestTraceEscapesTheStream(t *testing.T) {
	for _, columns := range []int{0, 80} {
		var out strings.Builder
		tr := &tracer{w: &out, columns: columns, scrub: func(s string) string { return s },
			redact: func(h http.Header) http.Header { return h }}
		tr.frame(wire.Frame{Seq: 1, From: wire.Client, Stream: "a\x1b[2J\nb", Body: []byte(`{}`)})
		if strings.Contains(out.String(), "\x1b[2J") || strings.Contains(out.String(), "\nb") {
			t.Errorf("%d columns: %q has control characters of the file", columns, out.String())
		}
	}
}
