package serve

import (
	"context"
	"io"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A sdkTransport is one session of the SDK's server. It is both transport and connection: the SDK's own reader ends the
// session at the first malformed line, so it is not used.
type sdkTransport struct {
	era     spec.Era
	deliver func(*sdkTransport, jsonrpc.Message) error // what the server sends

	in     chan jsonrpc.Message
	once   sync.Once
	closed chan struct{}
}

func newLink(e spec.Era, deliver func(*sdkTransport, jsonrpc.Message) error) *sdkTransport {
	return &sdkTransport{era: e, deliver: deliver, in: make(chan jsonrpc.Message), closed: make(chan struct{})}
}

// Connect implements mcp.Transport.
func (l *sdkTransport) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SupportsProtocolVersion lets discovery list every revision, since the other era has its own link.
func (l *sdkTransport) SupportsProtocolVersion(string) bool { return true }

// Read implements mcp.Connection.
func (l *sdkTransport) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.in:
		return m, nil
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements mcp.Connection.
func (l *sdkTransport) Write(_ context.Context, m jsonrpc.Message) error { return l.deliver(l, m) }

// Close implements mcp.Connection. It ends reading, which makes the server cancel its requests.
func (l *sdkTransport) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// SessionID implements mcp.Connection; streams have none.
func (l *sdkTransport) SessionID() string { return "" }

// send passes a message to the server.
func (l *sdkTransport) send(m jsonrpc.Message) {
	select {
	case l.in <- m:
	case <-l.closed:
	}
}
