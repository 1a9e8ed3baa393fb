package conform

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestLateAnswerOfTheProbedProcess lets the process that is probed answer after the one that is used was greeted with the
// same id: each has its own requests, so that nothing is wrong with either.
func TestLateAnswerOfTheProbedProcess(t *testing.T) {
	r := newRound(&run{opts: (&Options{}).filled()}, mcp.NewestLegacy)
	hear := func(from wire.Side, stream, body string) {
		r.judge.hear("shared-1", mcp.NewestLegacy, wire.Frame{From: from, Stream: stream, Body: []byte(body)})
	}
	hear(wire.Client, "stdio-probe", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	hear(wire.Client, "stdio-probe", `{"jsonrpc":"2.0","id":2,"method":"server/discover"}`)
	hear(wire.Server, "stdio-probe", `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}`)
	hear(wire.Client, "stdio", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	hear(wire.Server, "stdio-probe", `{"jsonrpc":"2.0","id":1,"result":{}}`)
	hear(wire.Server, "stdio", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)
	for _, s := range r.judge.strays {
		t.Errorf("got a stray answer to %s (%s); want none", s.method, s.text)
	}
	for key := range r.judge.shapes {
		t.Errorf("got the departure %s; want none", key)
	}
	hear(wire.Server, "stdio", `{"jsonrpc":"2.0","id":1,"result":{}}`)
	if got := len(r.judge.strays); got != 1 {
		t.Errorf("got %d stray answers after a true second answer; want 1", got)
	}
}

// TestPingOfTheProbe lets a server that has not heard yet of which era its client is answer the ping of the probe as older
// revisions do: the newest has no ping, and no shape for its result.
func TestPingOfTheProbe(t *testing.T) {
	r := newRound(&run{opts: (&Options{}).filled()}, mcp.NewestModern)
	hear := func(from wire.Side, body string) {
		r.judge.hear("shared-1", mcp.NewestModern, wire.Frame{From: from, Stream: "stdio-probe", Body: []byte(body)})
	}
	hear(wire.Client, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	hear(wire.Server, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	for key := range r.judge.shapes {
		t.Errorf("got the departure %s; want none", key)
	}
	hear(wire.Client, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	hear(wire.Server, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	if len(r.judge.shapes) == 0 {
		t.Error("got no departure for an empty result of tools/list; want some")
	}
}
