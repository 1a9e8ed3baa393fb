package conform

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A document of a public server can name any address. Only a server on this machine or network may name others there.
func TestForeignAddressesAreGuarded(t *testing.T) {
	var reached atomic.Int32
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer private.Close()
	for target, allowed := range map[string]bool{
		"https://mcp.example.com/mcp": false, "http://127.0.0.1:9/mcp": true, "http://localhost:9/mcp": true,
	} {
		reached.Store(0)
		client := foreignClient(wire.Target{URL: target})
		resp, err := client.Get(private.URL)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err == nil) != allowed || (reached.Load() == 1) != allowed {
			t.Errorf("from %s: error %v, reached %d times; want it allowed: %v", target, err, reached.Load(), allowed)
		}
		client.CloseIdleConnections()
	}
}

func TestIsForeign(t *testing.T) {
	target := wire.Target{URL: "https://Host.example/mcp"}
	for address, want := range map[string]bool{
		"https://host.example/.well-known/x": false, "http://host.example/": true, "https://host.example:444/": true,
		"https://other.example/": true,
	} {
		req, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := isForeign(req.URL, target); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
}
