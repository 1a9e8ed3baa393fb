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
