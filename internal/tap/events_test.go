package tap

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Of an event that is too large, the beginning is recorded; the next event is recorded whole.
func TestHugeEvent(t *testing.T) {
	s := &stream{from: wire.Server, name: "get-1", http: true}
	var frames []wire.Frame
	header := http.Header{"Content-Type": {"text/event-stream"}}
	for i, part := range []string{"data: ", strings.Repeat("x", maxMessage), "yz\n", "\ndata: second\n\n"} {
		it := item{stream: s, data: []byte(part)}
		if i == 0 {
			it.head = &head{http.StatusOK, header}
		}
		s.feed(it, func(f wire.Frame) { frames = append(frames, f) })
	}
	if len(frames) != 2 || len(frames[0].Body) < maxMessage-10 || !strings.Contains(frames[0].Fault, "only its first") ||
		strings.Contains(frames[0].Fault, wire.FaultCut) || string(frames[1].Body) != "second" {
		t.Fatalf("%d frames: %.200s", len(frames), fmt.Sprint(frames))
	}
}

// Events are cut where an empty line ends them, whatever the parts in which they arrive.
func TestEventCutter(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		events := []string{"data: a" + end, "id: 1" + end[:len(end)/2] + "data: b" + end, ": comment" + end, "data: c" + end}
		text := strings.Join(events, "") + "data: rest"
		for size := 1; size <= len(text); size++ {
			var cutter eventCutter
			var got []string
			event := ""
			for rest := text; rest != ""; {
				part := rest[:min(size, len(rest))]
				rest = rest[len(part):]
				for part != "" {
					n, ended := cutter.cut([]byte(part))
					event += part[:n]
					if part = part[n:]; ended {
						got, event = append(got, event), ""
					}
				}
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", events) || event != "data: rest" {
				t.Fatalf("parts of %d bytes: %q and %q, want %q", size, got, event, events)
			}
		}
	}
}
