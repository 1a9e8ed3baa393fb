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

// HTTPClient is the client by which the target is reached, for exchanges that are no part of a conversation.
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

// roundTrip is client.Do for what is nearly always answered without a redirect: the client would copy the header of each
// request to have it ready for one.
func roundTrip(client *http.Client, req *http.Request) (*http.Response, error) {
	if req.URL.User != nil {
		return client.Do(req) // it makes a header of it
	}
	resp, err := client.Transport.RoundTrip(req)
	if err != nil || resp.StatusCode/100 != 3 {
		return resp, err
	}
	again := *client
	again.Transport = &answered{resp: resp, next: client.Transport}
	return again.Do(req)
}

// An answered transport has the answer to its first request already.
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

// sameOrigin lets a redirect pass only within the origin and only with its method: what the person gave us for one
// server (headers, arguments) is not for another one to have.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	refuse := func(format string, args ...any) error { return &redirectError{fmt.Sprintf(format, args...)} }
	switch {
	case len(via) > maxRedirects:
		return refuse("more than %d redirects", maxRedirects)
	case next.URL.Scheme != first.Scheme || next.URL.Host != first.Host:
		return refuse("redirected to another origin, %s://%s; give that URL if you trust it", next.URL.Scheme, next.URL.Host)
	case next.Method != via[0].Method:
		return refuse("redirected to %s, which turns the %s into a %s; give that URL instead", next.URL.Path, via[0].Method, next.Method)
	}
	return nil
}

// A redirectError is why a redirect is not followed.
type redirectError struct{ text string }

func (e *redirectError) Error() string { return e.text }
