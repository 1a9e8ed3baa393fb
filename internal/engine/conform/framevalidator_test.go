package conform

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestPingOfTheProbe lets a server that has not heard yet of which era its client is answer the ping of the probe as
// older revisions do: the newest has no ping, and no shape for its result.
func TestPingOfTheProbe(t *testing.T) {
	r := newRound(&run{opts: (&Options{}).filled()}, spec.NewestModern)
	hear := func(from wire.Side, body string) {
		r.validator.record("shared-1", spec.NewestModern, wire.Frame{From: from, Stream: "stdio", Body: []byte(body)})
	}
	hear(wire.Client, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	hear(wire.Server, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	for key := range r.validator.shapes {
		t.Errorf("got the departure %s; want none", key)
	}
	hear(wire.Client, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"`+spec.NewestModern+`"}}}`)
	hear(wire.Server, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	if len(r.validator.shapes) == 0 {
		t.Error("got no departure for an empty result of tools/list; want some")
	}
}

// TestRepeatedObjectID has a server return the malformed ID that it was sent, spaced as its JSON library does: the fault
// is ours.
func TestRepeatedObjectID(t *testing.T) {
	for id, want := range map[string]int{objectID: 0, `{"mcptest": 7}`: 0, `{"mcptest": 8}`: 1} {
		r := newRound(&run{opts: (&Options{}).filled()}, spec.NewestLegacy)
		r.validator.record("shared-1", spec.NewestLegacy, wire.Frame{From: wire.Server, Stream: "stdio",
			Body: []byte(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,"message":"invalid request"}}`)})
		if got := len(r.validator.odd); got != want {
			t.Errorf("%s: %d findings, expected %d", id, got, want)
		}
	}
}
