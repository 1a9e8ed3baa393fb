package netguard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

const slowAddress = "127.0.0.1:6280"

// A client that never ends its body is cut off; an answer that streams for longer than a body may take is not.
// Connections are made within the process, so that time can be made up.
func TestD1ServerReadTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read := make(chan error, 2)
		server := slowServer(t, read)
		if server.ReadTimeout <= 0 || server.ReadHeaderTimeout <= 0 || server.WriteTimeout != 0 {
			t.Errorf("timeouts of the server: %v, %v, %v", server.ReadTimeout, server.ReadHeaderTimeout,
				server.WriteTimeout)
		}
		conns := make(pipes)
		served := make(chan error, 1)
		go func() { served <- server.Serve(conns) }()

		quick := conns.post("2", "{}")
		answer, err := http.ReadResponse(bufio.NewReader(quick), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if string(text) != "streamed" || err != nil || <-read != nil {
			t.Errorf("an answer after the time of the body: %q, %v; want it whole", text, err)
		}
		_ = quick.Close()

		began := time.Now()
		slow := conns.post("100", "{")
		if _, err := io.Copy(io.Discard, slow); err != nil {
			t.Errorf("the slow connection: %v, want it closed", err)
		}
		if took := time.Since(began); took < server.ReadTimeout || took > server.ReadTimeout+time.Second {
			t.Errorf("the slow connection was closed after %v, want %v", took, server.ReadTimeout)
		}
		if err := <-read; err == nil {
			t.Error("half a body was taken for a whole one")
		}
		_ = server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

// slowServer is a server that reads a body, tells how that ended, and answers long after.
func slowServer(t *testing.T, read chan<- error) *http.Server {
	t.Helper()
	var server *http.Server
	handler, err := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		read <- err
		if err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-time.After(3 * server.ReadTimeout):
			_, _ = io.WriteString(w, "streamed")
		case <-r.Context().Done():
		}
	}), Options{Hosts: []string{slowAddress}, Open: true})
	if err != nil {
		t.Fatal(err)
	}
	server = Server(handler)
	return server
}

// pipes is a listener for connections within the process.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6280} }

// post sends a request with a body that may be shorter than it says.
func (p pipes) post(length, body string) net.Conn {
	ours, theirs := net.Pipe()
	p <- theirs
	go func() {
		_, _ = fmt.Fprintf(ours, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: "+
			"%s\r\n\r\n%s", slowAddress, length, body)
	}()
	return ours
}
