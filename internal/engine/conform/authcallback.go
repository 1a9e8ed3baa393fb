package conform

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// signInTimeout is how long a user may take.
const signInTimeout = 3 * time.Minute

// A callback receives the response of the authorization server from the browser.
type callback struct {
	address, state string
	answers        chan url.Values
	server         *http.Server
}

func newCallback() (*callback, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &callback{address: "http://" + listener.Addr().String() + "/callback", state: rand.Text(),
		answers: make(chan url.Values, 1)}
	c.server = netguard.Server(http.HandlerFunc(c.receive))
	go func() { _ = c.server.Serve(listener) }()
	return c, nil
}

// receive accepts a response that belongs to a request of this run.
func (c *callback) receive(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/callback" || r.URL.Query().Get("state") != c.state {
		http.NotFound(w, r)
		return
	}
	select {
	case c.answers <- r.URL.Query():
	default:
	}
	_, _ = w.Write([]byte("Done. You can close this page.\n"))
}

// wait waits for the user.
func (c *callback) wait(ctx context.Context) (url.Values, error) {
	ctx, cancel := context.WithTimeout(ctx, signInTimeout)
	defer cancel()
	select {
	case answer := <-c.answers:
		return answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (c *callback) close() { _ = c.server.Close() }
