package wire

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A ProxyError reports that the proxy of the environment could not be reached. The server may be fine.
type ProxyError struct {
	Proxy string // host and port
	Err   error
}

// Error returns the proxy and what happened.
func (e *ProxyError) Error() string { return fmt.Sprintf("proxy %s: %s", e.Proxy, reason(e.Err)) }

// Unwrap returns the cause.
func (e *ProxyError) Unwrap() error { return e.Err }

// Hint returns where the proxy is configured.
func (e *ProxyError) Hint() hint.Text {
	return "check the environment variables HTTP_PROXY and HTTPS_PROXY; add the host to NO_PROXY to connect directly"
}

// throughProxy returns a ProxyError if err is about connecting to the proxy for a URL, and err otherwise.
func throughProxy(address string, err error) error {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "dial" && op.Op != "proxyconnect" {
		return err
	}
	to, parseErr := url.Parse(address)
	if parseErr != nil {
		return err
	}
	proxy, proxyErr := http.ProxyFromEnvironment(&http.Request{URL: to})
	if proxyErr != nil || proxy == nil {
		return err
	}
	return &ProxyError{Proxy: proxy.Host, Err: err}
}
