// Package redirect has the redirect policies of HTTP clients. Each is a CheckRedirect of http.Client.
package redirect

import (
	"fmt"
	"net/http"
	"strings"
)

// Max is how many redirects a client follows.
const Max = 3

// An Error is why a redirect is not followed.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func refuse(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// None follows no redirect: the client returns the redirect itself.
func None(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// SameOrigin follows redirects only within the origin and with the same method: headers and arguments that the user
// gave for one server must not be sent to another one.
func SameOrigin(next *http.Request, via []*http.Request) error {
	switch {
	case len(via) > Max:
		return refuse("more than %d redirects", Max)
	case !sameOrigin(next, via[0]):
		return refuse("redirected to another origin, %s://%s; use that URL if you trust it", next.URL.Scheme,
			next.URL.Host)
	case next.Method != via[0].Method:
		return refuse("redirected to %s, which turns the %s into a %s; use that URL instead", next.URL.Path,
			via[0].Method, next.Method)
	}
	return nil
}

// WithoutCredentials follows redirects to other origins, but sends them only headers that hold no credentials. It
// leaves https only for https.
func WithoutCredentials(next *http.Request, via []*http.Request) error {
	from := via[len(via)-1].URL
	switch {
	case len(via) > Max:
		return refuse("more than %d redirects", Max)
	case next.URL.Scheme != "http" && next.URL.Scheme != "https":
		return refuse("redirect to a %s address", next.URL.Scheme)
	case from.Scheme == "https" && next.URL.Scheme == "http":
		return refuse("redirect from https to http")
	case !sameOrigin(next, via[0]):
		retainOnly(next.Header, "Accept", "Accept-Language", "Content-Type", "User-Agent")
	}
	return nil
}

func sameOrigin(a, b *http.Request) bool {
	return a.URL.Scheme == b.URL.Scheme && strings.EqualFold(a.URL.Host, b.URL.Host)
}

func retainOnly(header http.Header, names ...string) {
	kept := make(http.Header, len(names))
	for _, name := range names {
		if values, found := header[name]; found {
			kept[name] = values
		}
	}
	clear(header)
	for name, values := range kept {
		header[name] = values
	}
}
