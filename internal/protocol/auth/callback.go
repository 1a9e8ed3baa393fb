package auth

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// callbackPath is the path of the redirect URI.
const callbackPath = "/callback"

// closeGrace is how long the last page may take to be sent.
const closeGrace = time.Second

// A callback listens on loopback for the browser redirect. It accepts one callback.
type callback struct {
	listener net.Listener
	server   *http.Server
	hosts    []string
	state    string
	once     sync.Once
	answer   chan url.Values
	done     chan struct{} // closed when the listener has stopped
}

// listen opens the listener, on any free port if port is 0. The callback must contain the state.
func listen(port int, state string) (*callback, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	c := &callback{listener: listener, hosts: netguard.Hosts(listener.Addr()), state: state,
		answer: make(chan url.Values, 1), done: make(chan struct{})}
	c.server = netguard.Server(c)
	go func() {
		defer close(c.done)
		_ = c.server.Serve(listener)
	}()
	return c, nil
}

// uri returns the redirect URI.
func (c *callback) uri() string { return "http://" + c.listener.Addr().String() + callbackPath }

// close waits a moment for the last page to be sent, and stops.
func (c *callback) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		_ = c.server.Close()
	}
	<-c.done
}

// wait waits for the callback.
func (c *callback) wait(ctx context.Context) (url.Values, error) {
	select {
	case answer := <-c.answer:
		return answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// ServeHTTP accepts the first callback. Its page contains nothing from the request.
func (c *callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action "+
		"'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/html; charset=utf-8")
	query := r.URL.Query()
	switch {
	case !slices.Contains(c.hosts, strings.ToLower(r.Host)):
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path != callbackPath:
		w.WriteHeader(http.StatusNotFound)
	case r.Method != http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case !query.Has("code") && !query.Has("error") && !query.Has("state"):
		w.WriteHeader(http.StatusBadRequest)
	default:
		c.take(w, query)
	}
}

func (c *callback) take(w http.ResponseWriter, query url.Values) {
	taken := false
	c.once.Do(func() {
		taken = true
		c.answer <- query
	})
	text := "Authorization complete. You can close this tab."
	if !taken || query.Get("error") != "" || !c.ours(query) {
		w.WriteHeader(http.StatusBadRequest)
		text = "Authorization failed. See the mcptest output for details."
	}
	_, _ = io.WriteString(w, "<!doctype html><html lang=\"en\"><title>mcptest</title><p>"+text+"</p></html>\n")
}

// ours reports whether a callback contains the state of our request.
func (c *callback) ours(query url.Values) bool { return sameState(query, c.state) }

func sameState(query url.Values, state string) bool {
	return subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) == 1
}
