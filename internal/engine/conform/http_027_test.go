package conform

import (
	"net/http"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Event IDs may be the same in two sessions, also on one connection, and an event keeps its ID when it is sent again to resume a
// stream.
func TestRepeatedEvents(t *testing.T) {
	event := func(stream, session, id, body string) wire.Frame {
		f := wire.Frame{From: wire.Server, Stream: stream, Event: &wire.Event{ID: id, HasID: true}, Body: []byte(body)}
		if session != "" {
			f.Header = http.Header{"Mcp-Session-Id": {session}}
		}
		return f
	}
	sent := func(stream, session string) wire.Frame {
		return wire.Frame{From: wire.Client, Stream: stream, Header: http.Header{"Mcp-Session-Id": {session}}}
	}
	const one, two = `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`
	for name, c := range map[string]struct {
		frames []wire.Frame
		want   int
	}{
		"two sessions":      {[]wire.Frame{event("POST-1", "a", "1", one), event("POST-2", "b", "1", two)}, 0},
		"named by requests": {[]wire.Frame{sent("POST-1", "a"), event("POST-1", "", "1", one), sent("POST-2", "b"), event("POST-2", "", "1", two)}, 0},
		"later events":      {[]wire.Frame{event("POST-1", "a", "1", one), event("POST-1", "", "2", one), event("POST-2", "b", "2", one)}, 0},
		"resumed":           {[]wire.Frame{event("POST-1", "a", "1", one), event("GET-1", "a", "1", one)}, 0},
		"in one stream":     {[]wire.Frame{event("POST-1", "a", "1", one), event("POST-1", "", "1", one)}, 1},
		"two streams":       {[]wire.Frame{event("POST-1", "a", "1", one), event("POST-2", "a", "1", two)}, 1},
		"without sessions":  {[]wire.Frame{event("POST-1", "", "1", one), event("POST-2", "", "1", two)}, 1},
	} {
		revision, _ := spec.Find("2025-11-25")
		v := &frameValidator{round: &revisionRun{revision: revision}, count: map[string]int{}}
		for _, f := range c.frames {
			v.take("http-1", revision, f)
		}
		if got := len(repeatedEvents(v.events)); got != c.want {
			t.Errorf("%s: %d repeated events, want %d", name, got, c.want)
		}
	}
}
