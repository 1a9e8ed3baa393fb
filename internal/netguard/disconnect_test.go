package netguard

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// hang is how long is waited for what should come at once.
const hang = 30 * time.Second

// A watched is a connection that reports reads that return nothing.
type watched struct {
	*conn
	nothing chan struct{}
}

func (c watched) Read(p []byte) (int, error) {
	n, err := c.conn.Read(p)
	if n == 0 && err == nil {
		c.nothing <- struct{}{}
	}
	return n, err
}

type watchedListener struct {
	net.Listener
	nothing chan struct{}
}

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return watched{c.(*conn), l.nothing}, nil
}

// serveWatched serves a handler, and returns its address and where reads that return nothing are reported.
func serveWatched(t *testing.T, handle http.HandlerFunc) (address string, nothing chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nothing = make(chan struct{}, 100)
	server := Server(handle)
	connected := server.ConnContext
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return connected(ctx, c.(watched).conn) }
	go func() { _ = server.Serve(watchedListener{Listener(l), nothing}) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String(), nothing
}

func await[T any](t *testing.T, what string, from <-chan T) {
	t.Helper()
	select {
	case <-from:
	case <-time.After(hang):
		t.Errorf("%s did not come", what)
	}
}

// Requests of all sizes arrive complete, also when several are sent at once, and nothing is read ahead while one whose
// length is known is handled. During other requests, net/http may have read one byte ahead; then it does not try again
// until that one is used.
func TestIgnoreDisconnect(t *testing.T) {
	for name, chunked := range map[string]bool{"known lengths": false, "also unknown lengths": true} {
		t.Run(name, func(t *testing.T) { sendAtOnce(t, chunked) })
	}
}

func sendAtOnce(t *testing.T, chunked bool) {
	t.Helper()
	var nothing chan struct{}
	address, nothing := serveWatched(t, func(w http.ResponseWriter, r *http.Request) {
		defer IgnoreDisconnect(r)()
		body, err := io.ReadAll(r.Body)
		if err == nil && r.ContentLength > 0 && !chunked && !t.Failed() {
			await(t, "reading ahead without a result", nothing)
		}
		fmt.Fprint(w, len(body), " ", err)
	})
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var sent bytes.Buffer
	var want []string
	for _, size := range []int{1, 0, 2, 100, 4095, 4096, 4097, 9000, 100_000} {
		if size == 0 && !chunked {
			continue // it may read ahead, too
		}
		text := strings.Repeat("x", size)
		fmt.Fprintf(&sent, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", size, text)
		want = append(want, fmt.Sprint(size, " <nil>"))
		if chunked {
			fmt.Fprintf(&sent, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", size+1, text+"y")
			want = append(want, fmt.Sprint(size+1, " <nil>"))
		}
	}
	go func() { _, _ = c.Write(sent.Bytes()) }()
	answers := bufio.NewReader(c)
	_ = c.SetReadDeadline(time.Now().Add(hang))
	for _, text := range want {
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(resp.Body); string(got) != text {
			t.Errorf("the handler read %q, want %q", got, text)
		}
	}
}

// A handler that does not ignore it notices that its client has gone, also after a request of the same connection for
// which it is ignored.
func TestDisconnect(t *testing.T) {
	gone := make(chan struct{})
	address, nothing := serveWatched(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ignore" {
			defer IgnoreDisconnect(r)()
		}
		_, _ = io.ReadAll(r.Body)
		if r.URL.Path == "/wait" {
			select {
			case <-r.Context().Done():
				close(gone)
			case <-time.After(hang):
			}
		}
	})
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	_, _ = io.WriteString(c, "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
	_ = c.Close()
	await(t, "the end of the request", gone)
	if len(nothing) > 1 {
		t.Errorf("%d reads without a result, want those of one request", len(nothing))
	}
}

// A response to a request that is not read in full ends at once, although the connection is only closed later.
func TestCloseWrite(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	c, err := Listener(l).Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	half, ok := c.(interface{ CloseWrite() error })
	if !ok {
		t.Fatal("net/http cannot end what is sent")
	}
	if err := half.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	_ = client.SetReadDeadline(time.Now().Add(hang))
	if _, err := client.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the client reads %v, want the end", err)
	}
}
