package serve

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestUntaggedChangesAreForTheLegacyEra(t *testing.T) {
	f := &front{ready: true}
	untagged := &jsonrpc.Request{Method: "notifications/tools/list_changed"}
	tagged := &jsonrpc.Request{Method: untagged.Method, Params: []byte(`{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`)}
	for _, c := range []struct {
		era  Era
		m    *jsonrpc.Request
		want bool
	}{{Legacy, untagged, false}, {Modern, untagged, true}, {Modern, tagged, false}} {
		if got := f.unwanted(newLink(c.era, nil), c.m); got != c.want {
			t.Errorf("unwanted(era %d, %s) = %v; want %v", c.era, c.m.Params, got, c.want)
		}
	}
}
