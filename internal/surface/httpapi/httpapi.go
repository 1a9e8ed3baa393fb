// Package httpapi shows the inspector to a page: routes, streams of events, and the guard around them. It adds no behaviour.
package httpapi

//go:generate go run ../../../tools/tsgen

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/inspector"
)

// Options say who may call, and what the page is.
type Options struct {
	Token   string
	Hosts   []string // exact values of Host; see guard.Hosts
	Origins []string // origins besides our own that may call
	Page    http.Handler
}

// policy is what a browser lets the page do. Nothing is loaded from elsewhere, no script stands in a document, no other
// page may frame it; pictures and sounds of servers are shown from memory.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src data: blob:; font-src 'self'; " +
	"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"

// Bounds of requests.
const (
	maxBody       = 4 << 20
	maxTranscript = 64 << 20
	maxStreams    = 64 // event streams and runs at once
)

// A Server answers the page.
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
		fail(w, &inspector.Problem{Kind: inspector.KindNotFound, Message: "there is no route " + r.Method + " " + r.URL.Path})
	})
	mux.Handle("/", page(o.Page))
	guarded, err := guard.New(mux, guard.Options{Hosts: o.Hosts, Origins: o.Origins, Token: o.Token, Public: isPublic, Navigable: true, MaxBody: maxTranscript,
		Methods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete}})
	if err != nil {
		return nil, nil, fmt.Errorf("inspector: %w", err)
	}
	return s, withPolicy(guarded), nil
}

// Stop ends the streams of events and the runs, and waits for them.
func (s *Server) Stop() {
	s.once.Do(func() { close(s.stopped) })
	s.running.Wait()
}

// isPublic reports requests for the page itself: its files hold no secret, and a browser cannot send the token for them.
func isPublic(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.URL.Path != "/api" && !strings.HasPrefix(r.URL.Path, "/api/")
}

// withPolicy puts the policy on every answer, refusals included.
func withPolicy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Frame-Options", "DENY")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		next.ServeHTTP(w, r)
	})
}

// page is the page, or a word about its absence.
func page(p http.Handler) http.Handler {
	if p != nil {
		return p
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, "This build of mcptest has no page. The API is under /api; go generate ./web builds the page.")
	})
}
