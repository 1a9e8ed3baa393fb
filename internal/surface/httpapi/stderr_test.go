package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// talk is a transcript with standard error before, between and behind the frames; two of its lines came at once.
const talk = `{"seq":0,"time":"2026-01-02T03:04:05.000Z","from":"server","stream":"stderr","body":"ready"}
{"seq":1,"time":"2026-01-02T03:04:05.001Z","from":"client","stream":"stdio","body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}
{"seq":0,"time":"2026-01-02T03:04:05.002Z","from":"server","stream":"stderr","body":"\u001b[33mcalled\u001b[0m"}
{"seq":0,"time":"2026-01-02T03:04:05.002Z","from":"server","stream":"stderr","body":""}
{"seq":0,"time":"2026-01-02T03:04:05.002Z","from":"server","stream":"stderr","body":"\tat \"jsonrpc\""}
{"seq":2,"time":"2026-01-02T03:04:05.003Z","from":"server","stream":"stdio","body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}
{"seq":0,"time":"2026-01-02T03:04:05.004Z","from":"server","stream":"stderr","body":"bye"}
`

// Standard error goes out with the frames, in either format, and comes in again where it stood.
func TestStandardErrorGoesOutAndIn(t *testing.T) {
	p := newPage(t, nil, "")
	first := ask[view.Link](p, "POST", "/api/transcripts", view.NewTranscript{Name: "talk", Text: talk})
	const want = "1 after 0 at 0 \"ready\"\n2 after 1 at 2 \"called\"\n3 after 1 at 2 \"\"\n4 after 1 at 2 \"\\tat " +
		"\\\"jsonrpc\\\"\"\n5 after 2 at 4 \"bye\"\n"
	check := func(what string, l view.Link) {
		t.Helper()
		if got := linesOf(p, l.ID); got != want {
			t.Errorf("%s: standard error is\n%swant\n%s", what, got, want)
		}
		if l.Counts.Frames != 2 || l.Counts.Stderr == 0 {
			t.Errorf("%s: counts are %+v, want 2 frames and some standard error", what, l.Counts)
		}
	}
	check("imported", first)
	if got, want := ask[view.Stderr](p, "GET", "/api/links/"+first.ID+"/stderr", nil).Text,
		"ready\ncalled\n\n\tat \"jsonrpc\"\nbye\n"; got != want {
		t.Errorf("standard error as a whole is %q, want %q", got, want)
	}
	for _, format := range []string{"jsonl", "har"} {
		_, _, text := p.send("GET", "/api/links/"+first.ID+"/export?format="+format, "", nil)
		check(format, ask[view.Link](p, "POST", "/api/transcripts",
			view.NewTranscript{Name: format, Text: text}))
	}
}

func linesOf(p *page, link string) string {
	p.t.Helper()
	var all strings.Builder
	for _, line := range ask[view.StderrLines](p, "GET", "/api/links/"+link+"/stderr/lines", nil).Lines {
		fmt.Fprintf(&all, "%d after %d at %d %q\n", line.N, line.After, line.Time.Nanosecond()/1e6, line.Text)
	}
	return all.String()
}
