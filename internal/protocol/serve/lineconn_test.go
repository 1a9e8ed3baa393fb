package serve

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestUntaggedChangesAreForTheLegacyEra(t *testing.T) {
	f := &lineConn{ready: true}
	untagged := &jsonrpc.Request{Method: "notifications/tools/list_changed"}
	tagged := &jsonrpc.Request{Method: untagged.Method,
		Params: []byte(`{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`)}
	for _, c := range []struct {
		era  spec.Era
		m    *jsonrpc.Request
		want bool
	}{{spec.Legacy, untagged, false}, {spec.Modern, untagged, true}, {spec.Modern, tagged, false}} {
		if got := f.unwanted(newLink(c.era, nil), c.m); got != c.want {
			t.Errorf("unwanted(era %s, %s) = %v; want %v", c.era, c.m.Params, got, c.want)
		}
	}
}
