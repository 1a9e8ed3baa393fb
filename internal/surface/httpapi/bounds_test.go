package httpapi_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A reader that is slow gets the state as it is, and costs no more than there is to know: of a thousand changes of one
// thing it is told once.
func TestSlowReaderGetsTheLatestAlone(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	for n := range 200 {
		ask[view.Roots](p, "PUT", "/api/links/"+l.ID+"/roots",
			view.Roots{Roots: []view.Root{{URI: fmt.Sprintf("file:///%d", n)}}})
		ask[view.List](p, "GET", "/api/links/"+l.ID+"/list/prompts?fresh=1", nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	s := p.stream(ctx, "GET", "/api/events?after=0", nil)
	for told := 1; ; told++ {
		var e view.Event
		if !s.next(&e) {
			t.Fatal("the stream ended")
		}
		if e.Kind == "frames" && e.Count >= 400 {
			return
		}
		if told > 20 {
			t.Fatalf("%d events for a handful of things", told)
		}
	}
}

// A client that stops reading holds nothing up: others are answered, and the stream can be ended.
func TestClientThatDoesNotReadHoldsNothingUp(t *testing.T) {
	p := newPage(t, nil, "")
	c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /api/events?after=0 HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
		strings.TrimPrefix(p.url, "http://"), p.token)
	big := `{"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}`
	id, _ := p.answering(func(mcp.Message) string { return big })
	l := p.connect(view.NewLink{Server: id})
	for range 20 {
		p.call(l.ID, view.NewCall{Name: "go"})
	}
	calls := ask[view.Calls](p, "GET", "/api/links/"+l.ID+"/calls", nil)
	if len(calls.Calls) != 20 {
		t.Errorf("%d calls, want 20", len(calls.Calls))
	}
}

// There are only so many streams, and each that ends makes room.
func TestStreamsAreBounded(t *testing.T) {
	p := newPage(t, nil, "")
	var open []context.CancelFunc
	for range 64 {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		p.stream(ctx, "GET", "/api/events", nil)
		open = append(open, cancel)
	}
	if status, _, body := p.send("GET", "/api/events", "", nil); status != 400 || !strings.Contains(body, "streams") {
		t.Errorf("one more = %d %s, want it refused", status, body)
	}
	open[0]()
	until(p, func() (int, bool) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		res := p.open(ctx, "GET", "/api/events", "", nil)
		_ = res.Body.Close()
		return res.StatusCode, res.StatusCode == 200
	})
}

// The history is bounded in number, and what is dropped is told as not found.
func TestHistoryIsBounded(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	for range 510 {
		p.call(l.ID, view.NewCall{Method: "ping"})
	}
	calls := ask[view.Calls](p, "GET", "/api/links/"+l.ID+"/calls", nil)
	if len(calls.Calls) != 500 || calls.Calls[0].N != 510 {
		t.Errorf("%d calls, the latest %d; want 500, 510", len(calls.Calls), calls.Calls[0].N)
	}
	p.refused("GET", "/api/links/"+l.ID+"/calls/1", nil, 404)
}

// Connections are opened, closed and forgotten by many at once; nothing is left in the end (see TestMain).
func TestConnectionsAtOnce(t *testing.T) {
	argv, _ := self(t)
	p := newPage(t, &target.Spec{Command: argv}, "")
	done := make(chan bool)
	l := p.connect(view.NewLink{Server: "given"})
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for range 5 {
				p.send("POST", "/api/links/"+l.ID+"/reconnect", "", nil)
				p.send("POST", "/api/links/"+l.ID+"/calls", `{"name":"go","anyway":true}`, nil)
				p.send("GET", "/api/links", "", nil)
				p.send("POST", "/api/links/"+l.ID+"/close", "", nil)
			}
		}()
	}
	for range 4 {
		<-done
	}
	if l = p.settled(l.ID); l.State != view.Closed {
		t.Errorf("the last close leaves it %s", l.State)
	}
	ask[struct{}](p, "DELETE", "/api/links/"+l.ID, nil)
	p.refused("GET", "/api/links/"+l.ID, nil, 404)
}
