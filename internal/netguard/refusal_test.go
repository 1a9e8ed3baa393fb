package netguard

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A refusal is plain text, is not cached, and names the scheme where a token is missing.
func TestRefusalHeaders(t *testing.T) {
	for status, challenge := range map[int]string{
		http.StatusUnauthorized: "Bearer", http.StatusForbidden: "", http.StatusRequestEntityTooLarge: "",
	} {
		w := httptest.NewRecorder()
		deny(w, status)
		h := w.Header()
		if w.Code != status || h.Get("Content-Type") != "text/plain; charset=utf-8" ||
			h.Get("Cache-Control") != "no-store" || h.Get("WWW-Authenticate") != challenge ||
			w.Body.String() != http.StatusText(status)+"\n" {
			t.Errorf("%d: %v %q, expected plain text, no caching and the challenge %q", status, h, w.Body, challenge)
		}
	}
}

// A cross-site request reaches a public document only as a navigation of a user: each of its conditions counts.
func TestNavigationConditions(t *testing.T) {
	public := func(r *http.Request) bool { return r.URL.Path == "/" }
	navigation := func() *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Sec-Fetch-Mode", "navigate")
		r.Header.Set("Sec-Fetch-Dest", "document")
		return r
	}
	g := &guard{}
	g.navigable, g.public = true, public
	if !g.navigates(navigation()) {
		t.Fatal("a navigation to a public document is not recognized")
	}
	for name, change := range map[string]func(r *http.Request){
		"POST":              func(r *http.Request) { r.Method = http.MethodPost },
		"with an Origin":    func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"fetch":             func(r *http.Request) { r.Header.Set("Sec-Fetch-Mode", "cors") },
		"without a mode":    func(r *http.Request) { r.Header.Del("Sec-Fetch-Mode") },
		"in a frame":        func(r *http.Request) { r.Header.Set("Sec-Fetch-Dest", "iframe") },
		"another path":      func(r *http.Request) { r.URL.Path = "/api/hello" },
		"without a purpose": func(r *http.Request) { r.Header.Del("Sec-Fetch-Dest") },
	} {
		r := navigation()
		change(r)
		if g.navigates(r) {
			t.Errorf("%s: taken for a navigation", name)
		}
	}
	for name, g := range map[string]*guard{
		"not navigable": {public: public}, "nothing is public": {navigable: true},
	} {
		if g.navigates(navigation()) {
			t.Errorf("%s: taken for a navigation", name)
		}
	}
}
