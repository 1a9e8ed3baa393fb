package frontend

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A pipeListener takes connections that are made within the process, so that time can be made up.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6280} }

func (l *pipeListener) dial() net.Conn {
	ours, theirs := net.Pipe()
	l.conns <- theirs
	return ours
}

// serveInMemory serves a gateway without servers as the command does, until the function that is returned is called.
func serveInMemory(t *testing.T) (*pipeListener, func()) {
	t.Helper()
	tools := catalog.New()
	g := New(Options{Catalog: tools, Invoker: &invoke.Invoker{}, Callers: access.Unrestricted, Expose: Meta})
	l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	handler, err := netguard.New(serve.NewEndpoint(g, nil),
		netguard.Options{Hosts: netguard.Hosts(l.Addr()), Open: true})
	if err != nil {
		t.Fatal(err)
	}
	server := netguard.Server(handler)
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	return l, func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		g.Close()
		_ = tools.Close()
	}
}

const slowHeader = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:6280\r\nContent-Type: application/json\r\nAccept: " +
	"application/json, text/event-stream\r\n"

// A client that sends its header or its body a byte at a time is cut off when its time is over.
func TestD1SlowClients(t *testing.T) {
	for name, test := range map[string]struct {
		begin, drip string
		limit       time.Duration
	}{
		"nothing":     {"", "", 5 * time.Second},
		"header":      {"POST /mcp HTTP/1.1\r\n", "X-Drip: 1\r\n", 5 * time.Second},
		"body":        {slowHeader + "Content-Length: 1000\r\n\r\n{", " ", 30 * time.Second},
		"chunks":      {slowHeader + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n", 30 * time.Second},
		"silent body": {slowHeader + "Content-Length: 1000\r\n\r\n{", "", 30 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, stop := serveInMemory(t)
			defer stop()
			conn := l.dial()
			defer conn.Close()
			closed := make(chan struct{})
			go func() { _, _ = io.Copy(io.Discard, conn); close(closed) }()
			start := time.Now()
			var dripping sync.WaitGroup
			dripping.Go(func() {
				if _, err := io.WriteString(conn, test.begin); err != nil {
					return
				}
				for test.drip != "" {
					time.Sleep(time.Second)
					if _, err := io.WriteString(conn, test.drip); err != nil {
						return
					}
				}
			})
			<-closed
			if took := time.Since(start); took < test.limit || took > test.limit+time.Second {
				t.Errorf("%s: cut off after %v, want %v", name, took, test.limit)
			}
			_ = conn.Close()
			dripping.Wait()
		})
	}
}

// Thousands of connections that never say what they want go when their time is over, and keep nobody from being served.
func TestE7HalfOpenConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many = 5000
		l, stop := serveInMemory(t)
		defer stop()
		var wg sync.WaitGroup
		for i := range many {
			conn := l.dial()
			wg.Go(func() {
				defer conn.Close()
				_, _ = io.WriteString(conn, slowHeader[:i%len(slowHeader)])
				_, _ = io.Copy(io.Discard, conn)
			})
		}
		start := time.Now()
		if got := listOver(l.dial()); !strings.Contains(got, "catalog_search") || time.Since(start) > time.Second {
			t.Errorf("beside %d half-open connections: %s after %v", many, got, time.Since(start))
		}
		wg.Wait()
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("half-open connections were kept for %v, want 5s", took)
		}
	})
}

// listOver lists the tools over a connection.
func listOver(conn net.Conn) string {
	defer conn.Close()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list",` +
		`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	go func() {
		_, _ = fmt.Fprintf(conn, "%sConnection: close\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: "+
			"tools/list\r\nContent-Length: %d\r\n\r\n%s", slowHeader, len(body), body)
	}()
	answer, _ := io.ReadAll(conn)
	return string(answer)
}
