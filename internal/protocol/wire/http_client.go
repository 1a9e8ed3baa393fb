package wire

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"
)

const (
	connectTimeout = 10 * time.Second
	maxRedirects   = 3
)

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
	return &http.Client{Transport: transport, CheckRedirect: sameOrigin}
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
	again.Transport = &answered{resp: resp, next: client.Transport}
	return again.Do(req)
}

// An answered transport already has the response to its first request.
type answered struct {
	resp *http.Response
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (a *answered) RoundTrip(req *http.Request) (*http.Response, error) {
	if resp := a.resp; resp != nil {
		a.resp = nil
		return resp, nil
	}
	return a.next.RoundTrip(req)
}

// sameOrigin allows a redirect only within the origin and with the same method: headers and arguments that the
// user gave for one server must not be sent to another one.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	refuse := func(format string, args ...any) error { return &redirectError{fmt.Sprintf(format, args...)} }
	switch {
	case len(via) > maxRedirects:
		return refuse("more than %d redirects", maxRedirects)
	case next.URL.Scheme != first.Scheme || next.URL.Host != first.Host:
		return refuse("redirected to another origin, %s://%s; use that URL if you trust it", next.URL.Scheme, next.URL.Host)
	case next.Method != via[0].Method:
		return refuse("redirected to %s, which turns the %s into a %s; use that URL instead", next.URL.Path, via[0].Method, next.Method)
	}
	return nil
}

// A redirectError is why a redirect is not followed.
type redirectError struct{ text string }

func (e *redirectError) Error() string { return e.text }
