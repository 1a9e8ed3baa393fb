package guard

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that never ends its body is cut off; an answer that streams for longer than a body may take is not.
func TestD1ServerReadTimeout(t *testing.T) {
	const timeout = 150 * time.Millisecond
	read := make(chan error, 2)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handler, err := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		read <- err
		if err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-time.After(3 * timeout):
			_, _ = io.WriteString(w, "streamed")
		case <-r.Context().Done():
		}
	}), Options{Hosts: Hosts(listener.Addr()), Open: true})
	if err != nil {
		t.Fatal(err)
	}
	server := Server(handler)
	if server.ReadTimeout <= 0 || server.ReadHeaderTimeout <= 0 || server.WriteTimeout != 0 {
		t.Errorf("timeouts of the server: %v, %v, %v", server.ReadTimeout, server.ReadHeaderTimeout, server.WriteTimeout)
	}
	server.ReadTimeout = timeout
	go func() { _ = server.Serve(listener) }()
	defer server.Close()

	answer, err := http.Post("http://"+listener.Addr().String(), "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if string(text) != "streamed" || err != nil || <-read != nil {
		t.Errorf("an answer after the time of the body: %q, %v; want it whole", text, err)
	}

	slow, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", listener.Addr())
	select {
	case err := <-read:
		if err == nil {
			t.Error("half a body was taken for a whole one")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the slow body was waited for")
	}
	_ = slow.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.Copy(io.Discard, bufio.NewReader(slow)); err != nil {
		t.Errorf("the slow connection stays open: %v", err)
	}
}
