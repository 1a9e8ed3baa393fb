package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// probe sends a bare request and returns the status.
func probe(t *testing.T, g *gateway, request string) int {
	t.Helper()
	address, _, _ := strings.Cut(strings.TrimPrefix(g.url, "http://"), "/")
	connection, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(30 * time.Second))
	fmt.Fprint(connection, request)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	response.Body.Close()
	return response.StatusCode
}

// Probes are answered whatever Host they have; nothing else is.
func TestGatewayProbes(t *testing.T) {
	g := startGateway(t, oneDemo, "--open", "--store", "memory")
	g.ready(t, "", "demo__echo")
	for _, path := range []string{"/healthz", "/readyz"} {
		for _, request := range []string{
			"GET " + path + " HTTP/1.1\r\nHost: 10.1.2.3:6280\r\n\r\n",
			"GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"GET " + path + " HTTP/1.0\r\n\r\n",
			"HEAD " + path + " HTTP/1.0\r\n\r\n",
		} {
			if got := probe(t, g, request); got != 200 {
				t.Errorf("%q: %d, want 200", request, got)
			}
		}
	}
	for _, request := range []string{
		"GET /metrics HTTP/1.1\r\nHost: 10.1.2.3:6280\r\n\r\n", "GET /status HTTP/1.0\r\n\r\n",
		"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
		"GET /readyz/../status HTTP/1.1\r\nHost: x\r\n\r\n", "GET /mcp HTTP/1.0\r\n\r\n",
	} {
		if got := probe(t, g, request); got != 403 {
			t.Errorf("%q: %d, want 403", request, got)
		}
	}
}

// A stopped gateway is not ready first, and still takes calls until the delay is over.
func TestGatewayDrainDelay(t *testing.T) {
	g := startGateway(t, oneDemo, "--open", "--store", "memory", "--drain-delay", "1h", "--drain-timeout", "1s")
	g.ready(t, "", "demo__echo")
	if err := g.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	g.until(t, "not ready", func() bool { status, _ := g.get(t, "/readyz", ""); return status == 503 })
	for range 5 {
		if status, body, err := g.call(t.Context(), "", "demo__echo", `{"message":"hi"}`); err != nil ||
			!strings.Contains(body, `"text":"hi"`) {
			t.Errorf("a call during the delay: %d %s %v", status, body, err)
		}
	}
	if status, _ := g.get(t, "/healthz", ""); status != 200 {
		t.Errorf("/healthz during the delay: %d, want 200", status)
	}
	select {
	case err := <-g.exited:
		t.Errorf("it ended before the delay was over: %v", err)
	default:
	}
	time.Sleep(600 * time.Millisecond)        // signals within half a second count as one
	_ = g.cmd.Process.Signal(syscall.SIGTERM) // a second signal does not wait
	select {
	case <-g.gone:
	case <-time.After(30 * time.Second):
		t.Error("a second signal did not end it")
	}
}
