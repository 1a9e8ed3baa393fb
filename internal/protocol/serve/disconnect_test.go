package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// A pausing backend blocks on the method "wait", and reports when such a request begins and ends.
type pausing struct {
	echoBackend
	begun, ended chan string
}

func (b *pausing) Answer(ctx context.Context, c *Call) (json.RawMessage, *Error) {
	if c.Method == "wait" {
		b.begun <- string(c.ID)
		defer func() { b.ended <- string(c.ID) }()
	}
	return b.echoBackend.Answer(ctx, c)
}

func next(t *testing.T, what string, from <-chan string) string {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(30 * time.Second):
		t.Fatalf("%s did not come", what)
		return ""
	}
}

// A client that disconnects cancels its request from 2026-07-28 on, and not before.
func TestDisconnect(t *testing.T) {
	b := &pausing{begun: make(chan string, 3), ended: make(chan string, 3)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := netguard.Server(NewEndpoint(b, nil))
	go func() { _ = server.Serve(netguard.Listener(l)) }()
	t.Cleanup(func() { _ = server.Close() })
	send := func(version, session, body string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if session != "" {
			session = "Mcp-Session-Id: " + session + "\r\n"
		}
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: a\r\nAccept: application/json, text/event-stream\r\n"+
			"Content-Type: application/json\r\nMCP-Protocol-Version: %s\r\nMcp-Method: wait\r\n%sContent-Length: %d\r\n\r\n%s",
			version, session, len(body), body)
		return c
	}
	answer := func(c net.Conn) *http.Response {
		t.Helper()
		defer c.Close()
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp
	}
	session := answer(send("2025-11-25", "", opening)).Header.Get("Mcp-Session-Id")

	old := send("2025-11-25", session, `{"jsonrpc":"2.0","id":2,"method":"wait"}`)
	next(t, "the request of 2025-11-25", b.begun)
	_ = old.Close()
	_ = send("2026-07-28", "", `{"jsonrpc":"2.0","id":3,"method":"wait","params":{"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`).(interface{ CloseWrite() error }).CloseWrite()
	next(t, "the request of 2026-07-28", b.begun)
	if got := next(t, "the end of the request of 2026-07-28", b.ended); got != "3" {
		t.Errorf("request %s has ended, want that of 2026-07-28", got)
	}
	if got := answer(send("2025-11-25", session, `{"jsonrpc":"2.0","method":"notifications/cancelled",`+
		`"params":{"requestId":2}}`)); got.StatusCode != http.StatusAccepted {
		t.Errorf("the cancellation: %s", got.Status)
	}
	if got := next(t, "the end of the request of 2025-11-25", b.ended); got != "2" {
		t.Errorf("request %s has ended, want that of 2025-11-25", got)
	}
}
