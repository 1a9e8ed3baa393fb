package conform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redirect"
)

// Limits of a run with checks of authorization.
const (
	authInterval    = time.Second // between a response and the next request
	maxSafeRequests = 59          // without an own identity
	maxAuthRequests = 200
)

// errRequestLimit ends a run that sent as many requests as it may.
var errRequestLimit = errors.New("request limit reached")

// An authClient sends the requests of checks of authorization: all of them through one queue, under our own name, and
// not more than allowed.
type authClient struct {
	own, foreign http.RoundTripper
	origin       string
	agent        string
	interval     time.Duration
	limit        int
	sleep        func(ctx context.Context, d time.Duration) error
	now          func() time.Time

	mu    sync.Mutex
	next  time.Time
	count int
}

// newAuthClient returns the client of a run. The server was chosen by the user; other addresses come from documents of
// the server and are dialed through the guard.
func newAuthClient(t wire.Target, o *Options) *authClient {
	u, _ := url.Parse(t.URL)
	c := &authClient{own: t.HTTPClient().Transport, origin: u.Scheme + "://" + u.Host,
		foreign:  netguard.Client(&netguard.DialOptions{AllowPrivate: Local(t.URL)}).Transport,
		agent:    "mcptest/" + cmp.Or(o.Version, "dev") + " (conform --auth)",
		interval: authInterval, limit: maxSafeRequests, sleep: o.Auth.sleep, now: o.Auth.now}
	if len(o.Auth.As) > 0 || o.Auth.Lab {
		c.limit = maxAuthRequests
	}
	if o.Auth.Lab {
		c.interval = 0
	}
	if c.sleep == nil {
		c.sleep = sleepFor
	}
	if c.now == nil {
		c.now = time.Now
	}
	return c
}

// client returns an HTTP client. Documents may be redirected, requests to the server are not.
func (c *authClient) client(follow bool) *http.Client {
	policy := redirect.None
	if follow {
		policy = redirect.SameOrigin
	}
	return &http.Client{Transport: c, CheckRedirect: policy}
}

// RoundTrip implements http.RoundTripper.
func (c *authClient) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := c.wait(req.Context()); err != nil {
		return nil, err
	}
	defer c.answered()
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", c.agent)
	if strings.EqualFold(req.URL.Scheme+"://"+req.URL.Host, c.origin) {
		return c.own.RoundTrip(req)
	}
	return c.foreign.RoundTrip(req)
}

// wait waits for the turn of the next request.
func (c *authClient) wait(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count >= c.limit {
		return fmt.Errorf("%w (%d)", errRequestLimit, c.limit)
	}
	now := c.now()
	if left := c.next.Sub(now); left > 0 {
		if err := c.sleep(ctx, left); err != nil {
			return err
		}
		now = c.now()
	}
	c.count++
	c.next = now.Add(c.interval)
	return nil
}

// answered starts the interval again when a response is there: a request that was slow to arrive must not arrive
// shortly before the next one.
func (c *authClient) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = c.now().Add(c.interval)
}

// CloseIdleConnections closes unused connections.
func (c *authClient) CloseIdleConnections() {
	for _, t := range []http.RoundTripper{c.own, c.foreign} {
		if closer, ok := t.(interface{ CloseIdleConnections() }); ok {
			closer.CloseIdleConnections()
		}
	}
}

// sent returns the number of requests so far.
func (c *authClient) sent() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

func sleepFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
