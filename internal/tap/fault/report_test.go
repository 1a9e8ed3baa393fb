package fault

import (
	"cmp"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// began is when the sessions of the tests begin.
var began = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// A sent is a message of a recording.
type sent struct {
	at    time.Duration
	from  wire.Side
	body  string
	reply int
	err   error
}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

// resume stands for a request that resumes a stream.
const resume = "GET with Last-Event-ID"

// The outcome of a fault follows from the messages after it, and is unknown without evidence.
func TestAssess(t *testing.T) {
	call := request(1, "tools/call", `{"name":"a","_meta":{"progressToken":1}}`)
	again := request(2, "tools/call", `{"_meta":{"progressToken":2},"name":"a"}`)
	response := func(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id) }
	closed, late := began.Add(3*time.Second), began.Add(50*time.Second)
	early, restarted := began, began.Add(5*time.Second)
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	dropped := []sent{{0, wire.Client, call, 0, nil}, {time.Second, wire.Server, response(1), 1, nil}}
	for name, tt := range map[string]struct {
		effect    string
		stream    string // default stdio
		more      []sent
		length    time.Duration
		closed    *time.Time
		exited    bool
		noRestart bool
		restarted *time.Time
		want      Outcome
		after     time.Duration
		detail    string
	}{
		"the same request": {effect: "drop", length: time.Minute, want: Retried, after: time.Second, detail: "with success",
			more: []sent{{2 * time.Second, wire.Client, again, 0, nil}, {3 * time.Second, wire.Server, response(2), 3, nil}}},
		"without a response": {effect: "drop", length: time.Minute, want: Retried, after: time.Second,
			detail: "without a response", more: []sent{{2 * time.Second, wire.Client, again, 0, nil}}},
		"new handshake, then the request": {effect: "drop", length: time.Minute, want: Retried, after: 2 * time.Second,
			detail: "without a response", more: []sent{{2 * time.Second, wire.Client, request(2, "initialize", "{}"), 0, nil},
				{3 * time.Second, wire.Client, again, 0, nil}}},
		"new handshake": {effect: "drop", length: time.Minute, want: Reconnected, after: time.Second, detail: "new handshake",
			more: []sent{{2 * time.Second, wire.Client, request(2, "initialize", "{}"), 0, nil}}},
		"canceled": {effect: "drop", length: time.Minute, want: Aborted, after: time.Second, detail: "canceled the request",
			more: []sent{{2 * time.Second, wire.Client, cancel, 0, nil}}},
		"canceled, then other requests": {effect: "drop", length: time.Minute, want: Continued, after: 2 * time.Second,
			detail: "canceled the request, sent tools/list", more: []sent{
				{2 * time.Second, wire.Client, cancel, 0, nil},
				{3 * time.Second, wire.Client, request(3, "tools/list", "{}"), 0, nil}}},
		"connection closed": {effect: "drop", length: time.Minute, want: Aborted, after: time.Second,
			detail: "closed the connection",
			more:   []sent{{2 * time.Second, wire.Server, "", 0, ErrClientClosed}}},
		"connection closed at the end of tap": {effect: "drop", length: 2 * time.Second, want: Unknown,
			detail: "the client sent nothing more", more: []sent{{2 * time.Second, wire.Server, "", 0, ErrClientClosed}}},
		"connection closed by the fault": {effect: "close", length: 5 * time.Second, want: Unknown,
			detail: "the client sent nothing more", more: []sent{{2 * time.Second, wire.Server, "", 0, ErrClose}}},
		"silence over HTTP": {effect: "close", stream: "post-1", length: time.Minute, want: Unknown,
			detail: "the client sent nothing more"},
		"open exchange": {effect: "hang", stream: "post-1", length: time.Minute, want: Hung, after: 59 * time.Second,
			detail: "sent nothing more", more: []sent{{time.Minute, wire.Server, "", 0, ErrClientClosed}}},
		"the same request before a delayed response": {effect: "delay=5s", length: time.Minute, want: Retried,
			after: time.Second, detail: "without a response", more: []sent{{2 * time.Second, wire.Client, again, 0, nil}}},
		"the same request after a delayed response": {effect: "delay=5s", length: time.Minute, want: Continued,
			after: 6 * time.Second, detail: "sent tools/call", more: []sent{{7 * time.Second, wire.Client, again, 0, nil}}},
		"the same request after two responses": {effect: "duplicate", length: time.Minute, want: Continued, after: time.Second,
			detail: "sent tools/call", more: []sent{{2 * time.Second, wire.Client, again, 0, nil}}},
		"discovery again": {effect: "exit", length: time.Minute, want: Reconnected, after: time.Second,
			detail: "new handshake", more: []sent{{2 * time.Second, wire.Client, request(2, "server/discover", "{}"), 0, nil}}},
		"stream resumed": {effect: "cut-sse", stream: "post-1", length: time.Minute, want: Reconnected, after: time.Second,
			detail: "resumed the stream", more: []sent{{2 * time.Second, wire.Client, resume, 0, nil}}},
		"stdin closed after a line of garbage": {effect: "garbage", length: 4 * time.Second, closed: &closed, want: Unknown,
			detail: "the client sent nothing more"},
		"stdin closed late": {effect: "drop", length: time.Minute, closed: &late, want: Aborted, after: 49 * time.Second,
			detail: "closed the connection"},
		"process ended late": {effect: "drop", length: time.Minute, closed: &late, exited: true, want: Hung,
			after: 49 * time.Second, detail: "sent nothing more until its process ended"},
		"process ended at once": {effect: "drop", length: 4 * time.Second, closed: &closed, exited: true, want: Aborted,
			after: 2 * time.Second, detail: "closed the connection"},
		"exit, not started again": {effect: "exit", length: 2 * time.Second, noRestart: true, want: Aborted,
			after: time.Second, detail: "did not start the server again"},
		"exit, too early to know": {effect: "exit", length: 2 * time.Second, want: Unknown,
			detail: "the client sent nothing more"},
		"stdin closed": {effect: "drop", length: 4 * time.Second, closed: &closed, want: Aborted, after: 2 * time.Second,
			detail: "closed the connection"},
		"started again": {effect: "drop", length: 4 * time.Second, closed: &closed, restarted: &restarted,
			want: Reconnected, after: 4 * time.Second, detail: "started the server again"},
		"stdin closed before": {effect: "drop", length: time.Minute, closed: &early, want: Unknown,
			detail: "the client had closed its end before"},
		"silence": {effect: "drop", length: time.Minute, want: Hung, after: 59 * time.Second,
			detail: "sent nothing more"},
		"short silence": {effect: "drop", length: 5 * time.Second, want: Unknown, detail: "the client sent nothing more"},
		"message arrived": {effect: "delay=1s", length: time.Minute, closed: &closed, want: Unknown,
			detail: "the client sent nothing more"},
		"other requests": {effect: "delay=1s", length: time.Minute, want: Continued, after: time.Second,
			detail: "sent tools/list", more: []sent{{2 * time.Second, wire.Client, request(3, "tools/list", "{}"), 0, nil}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Session{Count: 1, Ended: began.Add(tt.length), ClientClosed: tt.closed, Restarted: tt.restarted,
				ClientExited: tt.exited, NoRestart: tt.noRestart,
				Injected: []Injection{{Seq: 2, Time: began.Add(time.Second), Effect: tt.effect, From: wire.Server}}}
			for i, m := range append(append([]sent{}, dropped...), tt.more...) {
				f := wire.Frame{Seq: i + 1, Time: began.Add(m.at), From: m.from, Stream: cmp.Or(tt.stream, "stdio"),
					Body: []byte(m.body), Reply: m.reply, Err: m.err}
				if m.body == resume {
					f.Body, f.Stream, f.Header = nil, "get-2", http.Header{"Last-Event-Id": {"7"}}
				}
				s.Frames = append(s.Frames, f)
			}
			r := Assess(s)
			got := r.Reactions[0]
			if got.Outcome != tt.want || got.After != tt.after || got.Detail != tt.detail {
				t.Errorf("%s after %s: %s; want %s after %s: %s", got.Outcome, got.After, got.Detail, tt.want, tt.after,
					tt.detail)
			}
			if (r.Grade == "") != (tt.want == Unknown) {
				t.Errorf("grade %q of outcome %s", r.Grade, tt.want)
			}
		})
	}
}

func TestGrade(t *testing.T) {
	for _, tt := range []struct {
		recovered, all int
		want           string
	}{{0, 0, ""}, {3, 3, "A"}, {3, 4, "B"}, {1, 2, "C"}, {1, 4, "D"}, {1, 5, "F"}, {0, 1, "F"}} {
		if got := grade(tt.recovered, tt.all); got != tt.want {
			t.Errorf("%d of %d: %q, want %q", tt.recovered, tt.all, got, tt.want)
		}
	}
}
