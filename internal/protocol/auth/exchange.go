package auth

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Limits of one exchange.
const (
	maxResponse  = 1 << 20  // that is read
	maxDisplayed = 64 << 10 // of it that a step shows
	stepTimeout  = 30 * time.Second
)

// A stepClient sends the requests of the steps and records them.
type stepClient struct {
	client  *http.Client
	secrets *redact.Secrets
	reveal  bool
}

// newCaller returns a caller for a server. Its own origin was chosen by the user; all other addresses are
// dialed through the guard, which allows private addresses only if the user did.
func newCaller(server *url.URL, o *Options) *stepClient {
	tlsConfig := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.Insecure}
	guarded := netguard.Client(&netguard.DialOptions{AllowPrivate: o.AllowPrivate || private(server.Hostname())})
	foreign := guarded.Transport.(*http.Transport)
	foreign.TLSClientConfig = tlsConfig
	own := foreign.Clone()
	own.DialContext, own.Proxy = o.DialContext, nil
	if o.DialContext == nil {
		own.Proxy = http.ProxyFromEnvironment
	}
	client := &http.Client{Transport: &guardedTransport{origin: originOf(server), own: own, foreign: foreign},
		Timeout: stepTimeout}
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if next.Method != http.MethodGet {
			return http.ErrUseLastResponse // credentials must not follow a redirect
		}
		if _, err := checkURL(next.URL.String()); err != nil {
			return fmt.Errorf("redirected: %w", err)
		}
		return guarded.CheckRedirect(next, via)
	}
	secrets := o.Secrets
	if secrets == nil {
		secrets = redact.New()
	}
	return &stepClient{client: client, secrets: secrets, reveal: o.Reveal}
}

// guardedTransport uses the guarded transport for every origin but one.
type guardedTransport struct {
	origin       string
	own, foreign *http.Transport
}

func (b *guardedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if originOf(req.URL) == b.origin {
		return b.own.RoundTrip(req)
	}
	return b.foreign.RoundTrip(req)
}

func (c *stepClient) close() { c.client.CloseIdleConnections() }

// CloseIdleConnections closes unused connections.
func (b *guardedTransport) CloseIdleConnections() {
	b.own.CloseIdleConnections()
	b.foreign.CloseIdleConnections()
}

// get requests a document.
func (c *stepClient) get(ctx context.Context, s *Step, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	return c.do(s, req, "")
}

// post sends a body; shown is its display form.
func (c *stepClient) post(ctx context.Context, s *Step, address, kind string, body []byte, shown string,
	header http.Header) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Accept", "application/json")
	if c.reveal {
		shown = string(body)
	}
	return c.do(s, req, shown)
}

// do sends the request and records it and the response in the step. The body of the response is not yet
// scrubbed.
func (c *stepClient) do(s *Step, req *http.Request, shown string) ([]byte, error) {
	start := time.Now()
	s.Request = &Request{Method: req.Method, URL: c.url(req.URL.String()), Header: c.header(req.Header), Body: shown}
	resp, err := c.client.Do(req)
	if err != nil {
		s.Elapsed += time.Since(start)
		return nil, c.unreachable(s, req.URL, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	s.Elapsed += time.Since(start)
	s.Answer = newResponse(resp.StatusCode, c.header(resp.Header), body)
	if final := resp.Request.URL.String(); final != req.URL.String() {
		s.note("redirected to %s", c.url(final))
	}
	switch {
	case err != nil:
		return nil, c.unreachable(s, req.URL, err)
	case len(body) > maxResponse:
		return nil, s.fail("the document is too large", "the response is longer than %d bytes", maxResponse)
	}
	return body, nil
}

// newResponse records a response, up to the limit.
func newResponse(status int, header http.Header, body []byte) *Response {
	shown := body[:min(len(body), maxDisplayed)]
	return &Response{Status: status, Header: header, Body: string(shown), Cut: len(shown) < len(body)}
}

// unreachable fails the step because there was no response.
func (c *stepClient) unreachable(s *Step, u *url.URL, err error) error {
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err // its text repeats the URL, query and all
	}
	var blocked *netguard.BlockedError
	advice := hint.Text("check that it is running and reachable from this machine")
	switch {
	case errors.Is(err, context.Canceled):
		advice = ""
	case errors.As(err, &blocked) && blocked.Private:
		advice = "the server metadata contains a private address; if that is correct, allow it with {--allow-private}"
	case errors.As(err, &blocked):
		advice = "the metadata contains a blocked address; correct the metadata"
	case errors.Is(err, context.DeadlineExceeded):
		advice = hint.Text(fmt.Sprintf("no response within %v: the server may be overloaded", stepTimeout))
	case strings.Contains(err.Error(), "certificate"):
		advice = "the certificate is not trusted: add its CA to the system trust store, or pass {--insecure} for a " +
			"local test"
	}
	failure := s.fail(advice, "no response from %s: %v", u.Host, err)
	failure.Cause = err
	return failure
}

func (c *stepClient) url(raw string) string {
	if c.reveal {
		return raw
	}
	return c.secrets.Exact(redact.URL(raw))
}

func (c *stepClient) header(h http.Header) http.Header {
	if c.reveal {
		return h.Clone()
	}
	return c.secrets.Header(h)
}

// scrub removes secrets from a step for display. The secrets are known once its response was read.
func (c *stepClient) scrub(s Step) Step {
	if c.reveal {
		return s
	}
	if s.Request != nil {
		request := *s.Request
		request.URL, request.Body = c.secrets.Exact(request.URL), c.secrets.Exact(request.Body)
		s.Request = &request
	}
	if s.Answer != nil {
		answer := *s.Answer
		answer.Body = c.secrets.Text(answer.Body)
		s.Answer = &answer
	}
	s.Result, s.Problem, s.Hint = c.secrets.Text(s.Result), c.secrets.Text(s.Problem),
		hint.Text(c.secrets.Exact(string(s.Hint)))
	return s
}
