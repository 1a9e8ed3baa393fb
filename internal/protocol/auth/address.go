package auth

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Canonical is the one spelling of a server's URL under which its tokens are kept: lower-case scheme and host, no default
// port, no fragment. Path and query stay as they are.
func Canonical(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("%q is no http or https URL", raw)
	}
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	u.Fragment, u.RawFragment, u.User = "", "", nil
	if u.Path == "/" && u.RawQuery == "" {
		u.Path = ""
	}
	return u.String(), nil
}

// originOf is the scheme, host and port of a URL, in one spelling.
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// checkURL refuses addresses that a token, a code or a person must not be sent to.
func checkURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return nil, fmt.Errorf("it is missing")
	case err != nil || strings.ContainsAny(raw, " \t\r\n\\"):
		return nil, fmt.Errorf("%q is no URL", raw)
	case u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("%q is no https URL", raw)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("%q is not https, and not on this machine", raw)
	case u.User != nil:
		return nil, fmt.Errorf("%q has a user in it", raw)
	case u.Fragment != "":
		return nil, fmt.Errorf("%q has a fragment", raw)
	}
	return u, nil
}

// loopback reports hosts that are this machine by their very name.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// private reports hosts that are written as addresses of this machine or a private network: whoever typed such a one
// wants to reach its neighbours too.
func private(host string) bool {
	if loopback(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsPrivate()
}

// covers reports whether a resource identifier is the server's URL, or one above it on the same origin, as of metadata at
// the root.
func covers(resource string, server *url.URL) bool {
	r, err := url.Parse(resource)
	if err != nil || r.Hostname() == "" || r.Fragment != "" || originOf(r) != originOf(server) {
		return false
	}
	if r.RawQuery != "" && r.RawQuery != server.RawQuery {
		return false
	}
	parent := strings.TrimSuffix(r.EscapedPath(), "/")
	own := strings.TrimSuffix(server.EscapedPath(), "/")
	return own == parent || strings.HasPrefix(own, parent+"/")
}

// wellKnown are the places of metadata: the suffix between host and path, as RFC 8414 and RFC 9728 have it.
func wellKnown(u *url.URL, name string) string {
	return u.Scheme + "://" + u.Host + "/.well-known/" + name + strings.TrimSuffix(u.EscapedPath(), "/")
}
