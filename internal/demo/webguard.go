package demo

import (
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// allowed refuses requests that did not come for this machine or come from a foreign web page: a page of another
// site may point its own name at 127.0.0.1 and would otherwise reach the server through the visitor's browser.
func allowed(w http.ResponseWriter, r *http.Request) bool {
	if !loopback(r.Host) {
		http.Error(w, "Host is not this machine", http.StatusForbidden)
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || !loopback(u.Host) {
			http.Error(w, "Origin is not this machine", http.StatusForbidden)
			return false
		}
	}
	return true
}

// loopback tells whether a host, with or without a port, names this machine.
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

// readBody returns the body of a POST that is JSON from a client that takes both kinds of answer.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return nil, false
	}
	if !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream") {
		http.Error(w, "Accept must list application/json and text/event-stream", http.StatusNotAcceptable)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		writeReply(w, http.StatusRequestEntityTooLarge, failure(nil, tooLong()))
		return nil, false
	case err != nil:
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return nil, false
	}
	return body, true
}

// accepts tells whether the client takes the media type.
func accepts(h http.Header, kind string) bool {
	major, _, _ := strings.Cut(kind, "/")
	for _, value := range h.Values("Accept") {
		for part := range strings.SplitSeq(value, ",") {
			name, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(name)) {
			case kind, major + "/*", "*/*":
				return true
			}
		}
	}
	return false
}
