package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeline"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// rows reads lines "seq conn reply side body" of a recording, and returns "seq pair verdict" of each row.
func rows(t *testing.T, lines ...string) []string {
	t.Helper()
	log := wire.NewTranscript(nil)
	recorded := timeline.Renumber(log)
	for _, line := range lines {
		var f wire.Frame
		parts := strings.SplitN(line, " ", 5)
		if _, err := fmt.Sscan(line, &f.Seq, &f.Conn, &f.Reply, &f.From); err != nil {
			t.Fatal(err)
		}
		f.Stream, f.Body = "stdio", []byte(parts[4])
		recorded.Record(f)
	}
	var got []string
	for _, r := range timeline.New(log).Query(view.FrameQuery{}, nil).Frames {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%d %d %s", r.Seq, r.Pair, r.Verdict)))
	}
	return got
}

func TestVerdicts(t *testing.T) {
	got := rows(t,
		`1 1 0 client {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`2 1 1 server {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},`+
			`"serverInfo":{"name":"s","version":"1"}}}`,
		`3 1 0 client {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}`,
		`4 1 3 server {"jsonrpc":"2.0","id":2,"result":{"content":[],"isError":true}}`,
		`5 1 0 client {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}`,
		`6 1 5 server {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text"}]}}`,
		`7 1 0 client {"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
		`8 1 7 server {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"no"}}`,
		`9 1 0 client {"jsonrpc":"2.0","id":5,"method":"tools/list"}`,
		`10 1 0 server {"jsonrpc":"2.0","method":"notifications/message","params":{}}`,
	)
	malformed := "malformed: content[0].text: found nothing, expected a string"
	want := []string{"1 2 ok", "2 1 ok", "3 4 tool error", "4 3 tool error", "5 6 " + malformed, "6 5 " + malformed,
		"7 8 error -32601", "8 7 error -32601", "9 0", "10 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Without a handshake, a result is not compared with a revision that the server may not use.
func TestNoVerdictAboutAnUnknownRevision(t *testing.T) {
	got := rows(t, `1 1 0 client {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a"}}`,
		`2 1 1 server {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text"}]}}`)
	if diff := cmp.Diff([]string{"1 2 ok", "2 1 ok"}, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// A recording states which request a response belongs to, also on other connections and after lost frames.
func TestRecordedPairs(t *testing.T) {
	got := rows(t, `10 1 0 client {"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`12 2 0 client {"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`15 3 12 server {"jsonrpc":"2.0","id":1,"result":{}}`,
		`16 3 10 server {"jsonrpc":"2.0","id":1,"result":{}}`,
		`17 3 11 server {"jsonrpc":"2.0","id":1,"result":{}}`)
	if diff := cmp.Diff([]string{"1 4 ok", "2 3 ok", "3 2 ok", "4 1 ok", "5 0"}, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
