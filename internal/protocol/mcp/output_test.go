package mcp

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func TestLateOutput(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":1,"result":{}}`
	line := func(conn int, body string) wire.Frame {
		return wire.Frame{From: wire.Server, Conn: conn, Stream: string(wire.Stdio), Body: []byte(body)}
	}
	for _, test := range []struct {
		name   string
		frames []wire.Frame
		want   bool
	}{
		{"nothing", nil, false},
		{"a banner", []wire.Frame{line(1, "starting"), line(1, message)}, false},
		{"a log line", []wire.Frame{line(1, message), line(1, "called")}, true},
		{"an empty line", []wire.Frame{line(1, message), line(1, "")}, true},
		{"a banner of each process", []wire.Frame{line(1, "a"), line(1, message), line(2, "a"), line(2, message)}, false},
		{"lines of the client", []wire.Frame{line(1, message),
			{From: wire.Client, Conn: 1, Stream: string(wire.Stdio), Body: []byte("x")}}, false},
	} {
		if got := LateOutput(test.frames); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
