package demo

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// allowed rejects requests with a foreign Host or Origin: a page of another site may point its own name at
// 127.0.0.1 and would otherwise reach the server through the visitor's browser.
func allowed(w http.ResponseWriter, r *http.Request) bool {
	if !loopback(r.Host) {
		http.Error(w, "Host is not a loopback name", http.StatusForbidden)
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !loopback(u.Host) {
			http.Error(w, "Origin is not a loopback origin", http.StatusForbidden)
			return false
		}
	}
	return true
}

// loopback reports whether a host, with or without a port, is a loopback name.
func loopback(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}
