package isolate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestCountsAreBounded has a server name more tokens and resources than are stored, and a very long one.
func TestCountsAreBounded(t *testing.T) {
	t.Parallel()
	r := &run{log: wire.NewTranscript(nil), ledger: &ledger{}}
	u := r.user(Identity{Name: "a"})
	names := []string{strings.Repeat("x", maxName+1)}
	for i := range maxNames + 100 {
		names = append(names, fmt.Sprint(i))
	}
	for _, name := range names {
		for _, body := range []string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"` + name + `"}}`,
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + name + `"}}`,
		} {
			u.onFrame(wire.Frame{From: wire.Server, Body: []byte(body)})
		}
	}
	if len(u.progress) != maxNames || len(u.updates) != maxNames {
		t.Errorf("%d tokens and %d resources are stored, want %d each", len(u.progress), len(u.updates), maxNames)
	}
	if u.progress["0"] != 1 || u.progress[names[0]] != 0 {
		t.Errorf("the first token was counted %d times, the long one %d times", u.progress["0"], u.progress[names[0]])
	}
}
