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
