package auth

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Canonical returns the normalized URL of a server under which its tokens are stored: lower-case scheme and
// host, no default port, no fragment. Path and query are unchanged.
func Canonical(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("%q is not an http or https URL", raw)
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

// originOf returns the normalized scheme, host and port of a URL.
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// checkURL rejects URLs to which a token, a code or the user's browser must not be sent.
func checkURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return nil, fmt.Errorf("missing URL")
	case err != nil || strings.ContainsAny(raw, " \t\r\n\\"):
		return nil, fmt.Errorf("%q is not a URL", raw)
	case u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("%q is not an https URL", raw)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("%q is neither https nor a loopback URL", raw)
	case u.User != nil:
		return nil, fmt.Errorf("%q contains a user name", raw)
	case u.Fragment != "":
		return nil, fmt.Errorf("%q contains a fragment", raw)
	}
	return u, nil
}

// loopback reports whether a host is a loopback name or address.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// private reports whether a host is written as a loopback or private address: a user who typed such an address
// also wants to reach other private addresses.
func private(host string) bool {
	if loopback(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsPrivate()
}

// covers reports whether a resource identifier is the server's URL, or a parent of it on the same origin, as in
// metadata at the root.
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

// wellKnown returns the metadata URLs: the suffix between host and path, as in RFC 8414 and RFC 9728.
func wellKnown(u *url.URL, name string) string {
	return u.Scheme + "://" + u.Host + "/.well-known/" + name + strings.TrimSuffix(u.EscapedPath(), "/")
}
