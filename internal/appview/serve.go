package appview

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"slices"
	"strings"
)

// Limits of reports.
const (
	maxReport  = 64 << 10
	maxBlocked = 200 // different ones per view
)

// serve answers by the host name: the address of the sandbox has the frames, the name of a view the view.
func (s *Sandbox) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	name, isView := strings.CutSuffix(r.Host, ".localhost:"+s.port)
	switch {
	case isView:
		s.serveView(w, r, s.view(name))
	case r.Host == "127.0.0.1:"+s.port && r.Method == http.MethodGet:
		s.serveFrame(w, r)
	default:
		http.Error(w, "not found", http.StatusNotFound)
	}
}

// serveFrame serves the document around a view. Its policy allows no other frame, so that a view cannot navigate
// itself to another origin and so send data there.
func (s *Sandbox) serveFrame(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/frame.js" {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(frameScript)
		return
	}
	v := s.view(strings.TrimPrefix(r.URL.Path, "/"))
	if v == nil || !isFrame(r) {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; "+
		"frame-src "+v.Origin+"; frame-ancestors "+v.parent)
	fmt.Fprintf(w, "<!doctype html>\n<meta charset=\"utf-8\">\n<title>View</title>\n<body data-parent=\"%s\" "+
		"data-view=\"%s\" data-sandbox=\"%s\" data-allow=\"%s\">\n<script src=\"/frame.js\"></script>\n",
		html.EscapeString(v.parent), v.Origin, Sandboxed, strings.Join(v.resource.Features(), "; "))
}

// isFrame reports whether a browser requests a document for a frame. Old browsers do not say.
func isFrame(r *http.Request) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	return dest == "" || dest == "iframe"
}

func (s *Sandbox) serveView(w http.ResponseWriter, r *http.Request, v *View) {
	switch {
	case v != nil && r.Method == http.MethodGet && r.URL.Path == "/" && isFrame(r):
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", v.Policy())
		h.Set("Permissions-Policy", v.permissionsPolicy())
		h.Set("Connection-Allowlist", v.resource.CSP.connections())
		_, _ = w.Write(v.resource.HTML)
	case v != nil && r.Method == http.MethodPost && r.URL.Path == "/report":
		body, err := io.ReadAll(io.LimitReader(r.Body, maxReport))
		if b, ok := readReport(body); ok && err == nil {
			v.note(b)
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		http.NotFound(w, r)
	}
}

// permissionsPolicy denies what is not declared.
func (v *View) permissionsPolicy() string {
	var all []string
	granted := v.resource.Features()
	for _, feature := range []string{"camera", "microphone", "geolocation", "clipboard-read", "clipboard-write",
		"display-capture", "fullscreen", "payment", "usb", "serial", "bluetooth", "hid", "midi",
		"publickey-credentials-get", "screen-wake-lock"} {
		value := "()"
		if slices.Contains(granted, feature) {
			value = "(self)"
		}
		all = append(all, feature+"="+value)
	}
	return strings.Join(all, ", ")
}

// note stores a blocked load; equal ones are counted.
func (v *View) note(b Blocked) {
	v.mu.Lock()
	n := slices.IndexFunc(v.blocked, func(known Blocked) bool {
		return known.Directive == b.Directive && known.URI == b.URI && known.Line == b.Line
	})
	switch {
	case n >= 0:
		v.blocked[n].Count++
	case len(v.blocked) < maxBlocked:
		v.blocked = append(v.blocked, b)
	}
	v.mu.Unlock()
	if v.onBlocked != nil {
		v.onBlocked()
	}
}
