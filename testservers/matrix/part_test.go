package matrix

import (
	"fmt"
	"slices"
	"testing"
)

// inPart reports whether every change runs a cell of the matrix: client i and server k on a route. Through the gateway
// on HTTP, whose servers all run already, each client meets the servers of all SDKs, on stdio or HTTP in turn. On the other
// routes, where a cell starts processes of its own, each client meets one server.
func inPart(i, k int, route string) bool {
	const servers = 12 // stdio and HTTP of each SDK in turn
	switch route {
	case throughHTTP:
		return (i+k/2+k)%2 == 0
	case throughStdio:
		return k == (i*5+2)%servers
	default:
		return k == (i*5)%servers
	}
}

// TestPart checks that the part that every change runs has every two values of different dimensions in a cell: of
// client, era, SDK and transport of the server, and route.
func TestPart(t *testing.T) {
	type pair struct{ a, b string }
	inCells, all := map[pair]bool{}, map[pair]bool{}
	for i, c := range clients(t) {
		for k, s := range servers(t) {
			for _, route := range []string{direct, throughHTTP, throughStdio} {
				values := []string{"client SDK " + c.name, "client " + c.era, "server SDK " + s.name, "server on " + s.transport, route}
				for n, a := range values {
					for _, b := range values[n+1:] {
						all[pair{a, b}] = true
						if inPart(i, k, route) {
							inCells[pair{a, b}] = true
						}
					}
				}
			}
		}
	}
	var missing []string
	for p := range all {
		if !inCells[p] {
			missing = append(missing, fmt.Sprintf("%s with %s", p.a, p.b))
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no cell of the part has %q", missing)
	}
}
