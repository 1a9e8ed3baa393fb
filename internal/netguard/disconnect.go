package netguard

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
)

// While a handler runs, net/http reads ahead by one byte, so that the context of the request is cancelled when the client
// disconnects. That takes a goroutine, a system call and three deadlines per request: 13 % of the CPU time of a call
// through the gateway. IgnoreDisconnect saves it where a disconnect has no effect.

// Listener returns l with connections for IgnoreDisconnect.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return newConn(c), nil
}

// A conn is a connection that can do without reading ahead.
type conn struct {
	net.Conn
	ignores atomic.Bool // a handler runs that ignores a disconnect
	end     func()      // of IgnoreDisconnect
}

func newConn(of net.Conn) *conn {
	c := &conn{Conn: of}
	c.end = func() { c.ignores.Store(false) }
	return c
}

// Read returns nothing if net/http reads ahead: the buffer for the body of a request with a length is never so short.
func (c *conn) Read(p []byte) (int, error) {
	if len(p) == 1 && c.ignores.Load() {
		return 0, nil
	}
	return c.Conn.Read(p)
}

// CloseWrite ends what is sent. net/http does that before it closes a connection whose request it has not read in full,
// so that the client still receives the response.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

type connKey struct{}

// connContext lets handlers find their connection.
func connContext(ctx context.Context, c net.Conn) context.Context {
	if c, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}

// IgnoreDisconnect declares that a handler does not need the context of its request to be cancelled when the client
// disconnects. It must be called before the body is read, and the returned function at the end of the handler. It has
// no effect without Listener and Server, and if the length of the body is unknown.
func IgnoreDisconnect(r *http.Request) (end func()) {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok || r.ContentLength <= 0 {
		return func() {}
	}
	c.ignores.Store(true)
	return c.end
}
