// Package httpapi exposes the inspector to a page: routes, event streams, and the guard around them. It adds no
// behavior.
package httpapi

//go:generate go run ../../../tools/tsgen

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Options define who may call the API, and the page.
type Options struct {
	Token   string
	Hosts   []string // exact values of Host; see netguard.Hosts
	Origins []string // additional allowed origins
	Page    http.Handler
	Frames  string // the only origin that the page may load in a frame; empty for none
}

// policy is the Content-Security-Policy of the page. Nothing is loaded from other origins, documents have no
// inline scripts, no other page may frame it; images and audio from servers are shown from memory.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src data: " +
	"blob:; font-src 'self'; " +
	"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for " +
	"'script'"

// Limits of requests.
const (
	maxBody       = 4 << 20
	maxTranscript = 64 << 20
	maxStreams    = 64 // concurrent event streams and runs
)

// A Server serves the API.
type Server struct {
	inspector *inspector.Inspector
	streams   chan struct{}
	stopped   chan struct{}
	once      sync.Once
	running   sync.WaitGroup
}

// New returns the server and its guarded handler.
func New(i *inspector.Inspector, o Options) (*Server, http.Handler, error) {
	s := &Server{inspector: i, streams: make(chan struct{}, maxStreams), stopped: make(chan struct{})}
	mux := http.NewServeMux()
	for _, r := range Routes() {
		mux.Handle(r.Pattern, s.handler(r))
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, &view.Problem{Kind: view.KindNotFound, Message: "no route " + r.Method + " " + r.URL.Path})
	})
	mux.Handle("/", page(o.Page))
	guarded, err := netguard.New(mux, netguard.Options{Hosts: o.Hosts, Origins: o.Origins, Token: o.Token,
		Public: isPublic, Navigable: true, MaxBody: maxTranscript,
		Methods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete}})
	if err != nil {
		return nil, nil, fmt.Errorf("inspector: %w", err)
	}
	return s, withPolicy(guarded, o.Frames), nil
}

// Stop ends the event streams and the runs, and waits for them.
func (s *Server) Stop() {
	s.once.Do(func() { close(s.stopped) })
	s.running.Wait()
}

// isPublic reports whether a request is for the page itself: its files contain no secret, and a browser cannot
// send the token for them.
func isPublic(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.URL.Path != "/api" &&
		!strings.HasPrefix(r.URL.Path, "/api/")
}

// withPolicy sets the policy on every response, including errors.
func withPolicy(next http.Handler, frames string) http.Handler {
	policy, permissions := policy, "camera=(), microphone=(), geolocation=()"
	if frames != "" { // a page can pass on only the permissions that it has
		policy += "; frame-src " + frames
		permissions = strings.ReplaceAll(permissions, "()", `(self "`+frames+`")`)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("Permissions-Policy", permissions)
		next.ServeHTTP(w, r)
	})
}

// page serves the page, or a message that it is missing.
func page(p http.Handler) http.Handler {
	if p != nil {
		return p
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, "This build of mcptest does not include the page. The API is under /api; run go generate "+
			"./web to build the page.")
	})
}
