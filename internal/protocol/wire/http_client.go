package wire

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/redirect"
)

const connectTimeout = 10 * time.Second

// HTTPClient returns the client for the target, for exchanges that are not part of the message exchange.
func (t Target) HTTPClient() *http.Client { return newClient(t) }

func newClient(t Target) *http.Client {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.Insecure},
		TLSHandshakeTimeout:    connectTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 32 << 10,
	}
	if t.DialContext != nil {
		transport.Proxy, transport.DialContext = nil, t.DialContext
	}
	return &http.Client{Transport: transport, CheckRedirect: redirect.SameOrigin}
}

// roundTrip is client.Do without copying the header for redirects, which are rare.
func roundTrip(client *http.Client, req *http.Request) (*http.Response, error) {
	if req.URL.User != nil {
		return client.Do(req) // it is converted to a header
	}
	resp, err := client.Transport.RoundTrip(req)
	if err != nil || resp.StatusCode/100 != 3 {
		return resp, err
	}
	again := *client
	again.Transport = &presetResponse{resp: resp, next: client.Transport}
	return again.Do(req)
}

// An presetResponse transport already has the response to its first request.
type presetResponse struct {
	resp *http.Response
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (a *presetResponse) RoundTrip(req *http.Request) (*http.Response, error) {
	if resp := a.resp; resp != nil {
		a.resp = nil
		return resp, nil
	}
	return a.next.RoundTrip(req)
}
