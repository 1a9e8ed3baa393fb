package inspector

import (
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/har"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeline"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// conversation makes frames of lines "conn side stream body".
func conversation(t *testing.T, lines string) []wire.Frame {
	t.Helper()
	var frames []wire.Frame
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		parts := strings.SplitN(strings.TrimSpace(line), " ", 4)
		f := wire.Frame{Seq: i + 1, Time: start.Add(time.Duration(i) * time.Millisecond), From: wire.Side(parts[1]),
			Stream: parts[2],
			Conn:   int(parts[0][0] - '0'), Body: []byte(parts[3])}
		if _, overHTTP := har.HTTPMethod(f.Stream); overHTTP && f.From == wire.Server {
			f.Status = 200
		}
		frames = append(frames, f)
	}
	return frames
}

// rowsOf reads frames as the Wire view shows them.
func rowsOf(frames []wire.Frame) []view.Frame {
	log := wire.NewTranscript(nil)
	for _, f := range frames {
		log.Record(f)
	}
	return timeline.New(log).Query(view.FrameQuery{}, nil).Frames
}

const (
	discover   = `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize"}`
	refusal    = `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`
	agreed     = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`
)

// IDs start again in each process: the late response of the first one is no response to the second.
func TestPairsPerConnection(t *testing.T) {
	for name, lines := range map[string]string{
		"processes": "1 client stdio " + discover + "\n2 client stdio " + initialize + "\n1 server stdio " + refusal +
			"\n2 server stdio " + agreed,
		"old transcript": "0 client stdio-probe " + discover + "\n0 client stdio " + initialize +
			"\n0 server stdio-probe " + refusal +
			"\n0 server stdio " + agreed,
		"old transcript of several": "0 client a-1/stdio " + discover + "\n0 client b-2/stdio " + initialize +
			"\n0 server a-1/stdio " + refusal +
			"\n0 server b-2/stdio " + agreed,
		"old transcript over HTTP": "0 client a/post-1 " + discover + "\n0 client b/post-1 " + initialize +
			"\n0 server a/post-1 " + refusal +
			"\n0 server b/get-1 " + agreed,
	} {
		t.Run(name, func(t *testing.T) {
			frames := conversation(t, lines)
			rows := rowsOf(frames)
			if rows[2].Pair != 1 || rows[2].Method != "server/discover" || rows[0].Pair != 3 {
				t.Errorf("the late response: %+v", rows[2])
			}
			if rows[3].Pair != 2 || rows[3].Method != "initialize" || rows[1].Pair != 4 ||
				rows[3].Conn != frames[3].Conn {
				t.Errorf("the response to initialize: %+v", rows[3])
			}
		})
	}
}

// What answers no request says so, and pairs with none.
func TestUnpairedResponses(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t"}}`
	for name, tt := range map[string]struct{ lines, odd string }{
		"null": {"1 client post-1 " + call + "\n1 server post-1 " +
			`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`,
			"no request on this connection has the id null"},
		"retyped": {"1 client stdio " + call + "\n1 server stdio " + `{"jsonrpc":"2.0","id":"5","result":{}}`,
			`no request on this connection has the id "5"`},
		"other one": {"1 client stdio " + call + "\n2 server stdio " + `{"jsonrpc":"2.0","id":5,"result":{}}`,
			"no request on this connection has the id 5"},
		"own id": {"1 server stdio " + `{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\n1 server stdio " +
			`{"jsonrpc":"2.0","id":5,"result":{}}`, "no request on this connection has the id 5"},
		"second": {"1 client stdio " + call + "\n1 server stdio " + `{"jsonrpc":"2.0","id":5,"result":{}}` +
			"\n1 server stdio " + `{"jsonrpc":"2.0","id":5,"result":{}}`,
			"duplicate response to frame 1: frame 2 already responded"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := rowsOf(conversation(t, tt.lines))
			if last := rows[len(rows)-1]; last.Pair != 0 || !strings.Contains(strings.Join(last.Odd, "; "), tt.odd) {
				t.Errorf("the row is %+v, want no pair and %q", last, tt.odd)
			}
		})
	}
	late := rowsOf(conversation(t, "1 client stdio "+call+"\n1 client stdio "+
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`+
		"\n1 server stdio "+`{"jsonrpc":"2.0","id":5,"result":{}}`))[2]
	if late.Pair != 1 || !strings.Contains(strings.Join(late.Odd, "; "),
		"late response: the request was already cancelled") {
		t.Errorf("after a cancellation: %+v", late)
	}
	parse := rowsOf(conversation(t, "1 client stdio {\n1 server stdio "+
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`))[1]
	if len(parse.Odd) != 0 {
		t.Errorf("a response to what cannot be read is odd: %v", parse.Odd)
	}
}

// An archive pairs as the Wire view does, and keeps the connection of each frame.
func TestArchivePairsPerConnection(t *testing.T) {
	frames := conversation(t, "1 client stdio "+discover+"\n2 client stdio "+initialize+"\n1 server stdio "+refusal+
		"\n2 server stdio "+agreed+
		"\n2 server stdio "+`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`+"\n2 client stdio "+
		`{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`)
	text, err := har.Archive(frames, "stdio", "1")
	if err != nil {
		t.Fatal(err)
	}
	again, ok := har.ReadArchive(string(text))
	if !ok || len(again) != len(frames) {
		t.Fatalf("%d frames, want %d:\n%s", len(again), len(frames), text)
	}
	rows := rowsOf(again)
	for i, want := range []int{3, 4, 1, 2, 6, 5} {
		if rows[i].Pair != want || rows[i].Conn != frames[i].Conn || string(again[i].Body) != string(frames[i].Body) {
			t.Errorf("frame %d: %+v, want the pair %d and the connection %d", i+1, rows[i], want, frames[i].Conn)
		}
	}
}
