// Package netguard protects the HTTP listeners of mcptest from web pages and other users of the machine, and its
// outgoing connections from addresses that a server under test should not be able to reach through us.
//
// A program that starts processes on request is an attractive target: DNS rebinding, cross-site requests and port
// guessing have all been used against similar tools. Therefore every listener uses the same guard, on every route.
package netguard

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// MaxBody is the maximum size of a request body in bytes unless Options set another.
const MaxBody = 4 << 20

// Options define what a guard accepts.
type Options struct {
	Hosts   []string // exact values of Host, as returned by Hosts; an empty list is an error
	Origins []string // additional origins that may send requests; "null" is never allowed
	Methods []string // nil means GET, HEAD, POST and DELETE
	MaxBody int64    // 0 means MaxBody

	// Token is the bearer token that a caller must send. It may be empty only if Open is set.
	Token string
	Open  bool
	// Public reports whether a request needs no token: the static files of a page, which contain no secrets. It may be
	// nil.
	Public func(*http.Request) bool
	// Navigable lets users follow links from other sites to public documents: they are opened in a separate tab, which
	// no other page can access.
	Navigable bool
}

// New returns next behind a guard. A request is checked for Host, then Origin and Sec-Fetch-Site, method and content
// type, token, size; the first failure determines the response, whose body depends only on its status.
func New(next http.Handler, o Options) (http.Handler, error) {
	g := &guard{next: next, hosts: lower(o.Hosts), origins: lower(o.Origins), methods: o.Methods, limit: o.MaxBody,
		public: o.Public, navigable: o.Navigable}
	if err := validate(o, g); err != nil {
		return nil, err
	}
	if g.methods == nil {
		g.methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete}
	}
	if g.limit == 0 {
		g.limit = MaxBody
	}
	if o.Token != "" {
		sum := sha256.Sum256([]byte(o.Token))
		g.token = &sum
	}
	return g, nil
}

func validate(o Options, g *guard) error {
	switch {
	case len(g.hosts) == 0 || slices.Contains(g.hosts, ""):
		return errors.New("guard: allowed hosts are missing or empty, expected names with ports, such as localhost:6280")
	case slices.Contains(g.origins, "") || slices.Contains(g.origins, "null") || slices.Contains(g.origins, "*"):
		return errors.New("guard: an allowed origin is empty, null or *, expected one such as https://example.com")
	case o.Token == "" && !o.Open:
		return errors.New("guard: no token")
	case strings.TrimSpace(o.Token) != o.Token:
		return errors.New("guard: token has leading or trailing whitespace")
	}
	return nil
}

// NewToken returns a token of 256 random bits that is valid in a header and a URL.
func NewToken() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: it terminates the program instead
	return base64.RawURLEncoding.EncodeToString(random[:])
}

type guard struct {
	next                    http.Handler
	hosts, origins, methods []string
	limit                   int64
	token                   *[sha256.Size]byte // nil when open
	public                  func(*http.Request) bool
	navigable               bool
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if status := g.check(r); status != http.StatusOK {
		deny(w, status)
		return
	}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = http.MaxBytesReader(w, r.Body, g.limit)
	}
	g.next.ServeHTTP(w, r)
}

// protect sets the headers that restrict what browsers may do with a response.
func protect(h http.Header) {
	for i, name := range [...]string{"X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
		"Cross-Origin-Resource-Policy"} {
		h[name] = protections[i : i+1 : i+1]
	}
}

// protections are the values of the headers that restrict browsers. All responses share them.
var protections = []string{"nosniff", "no-referrer", "same-origin", "same-origin"}

// check returns the status to reject the request with, or 200.
func (g *guard) check(r *http.Request) int {
	switch {
	case !slices.Contains(g.hosts, strings.ToLower(r.Host)):
		return http.StatusForbidden
	case !g.sameSite(r):
		return http.StatusForbidden
	case !slices.Contains(g.methods, r.Method):
		return http.StatusMethodNotAllowed
	case carriesBody(r) && !isJSON(r.Header["Content-Type"]):
		return http.StatusUnsupportedMediaType
	case !g.authorized(r):
		return http.StatusUnauthorized
	case r.ContentLength > g.limit:
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusOK
}

// sameSite rejects requests that the browser marks as coming from another site, including reads. A request without
// Origin and Sec-Fetch-Site does not come from a page of another site.
func (g *guard) sameSite(r *http.Request) bool {
	if origins := r.Header["Origin"]; len(origins) > 0 {
		origin := strings.ToLower(origins[0])
		if len(origins) == 1 && slices.Contains(g.origins, origin) {
			return true
		}
		if len(origins) > 1 || origin != ownOrigin(r) {
			return false
		}
	}
	for _, site := range r.Header["Sec-Fetch-Site"] {
		if g.navigates(r) {
			return true
		}
		if site != "same-origin" && site != "none" {
			return false
		}
	}
	return true
}

// navigates reports whether a user follows a link to a public document.
func (g *guard) navigates(r *http.Request) bool {
	return g.navigable && g.public != nil && g.public(r) && r.Method == http.MethodGet &&
		r.Header.Get("Origin") == "" &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// ownOrigin is the origin of a page that this listener served; Host has been checked before.
func ownOrigin(r *http.Request) string {
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return scheme + strings.ToLower(r.Host)
}

func carriesBody(r *http.Request) bool {
	return r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodPatch
}

// isJSON requires the one type that no HTML form can send.
func isJSON(types []string) bool {
	if len(types) != 1 {
		return false
	}
	if types[0] == "application/json" { // the most common form
		return true
	}
	media, parameters, err := mime.ParseMediaType(types[0])
	if err != nil || media != "application/json" {
		return false
	}
	charset, set := parameters["charset"]
	return !set || strings.EqualFold(charset, "utf-8")
}

func (g *guard) authorized(r *http.Request) bool {
	if g.token == nil || g.public != nil && g.public(r) {
		return true
	}
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	sum := sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}

func deny(w http.ResponseWriter, status int) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	if status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", "Bearer")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, http.StatusText(status)+"\n") // a disconnected client cannot be notified
}

func lower(values []string) []string {
	out := make([]string, len(values))
	for i, value := range values {
		out[i] = strings.ToLower(value)
	}
	return out
}
