package serve

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A brokenLine is the answer to a client that has gone after so many bytes.
type brokenLine struct {
	httptest.ResponseRecorder
	left int
}

func (w *brokenLine) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("client disconnected")
	}
	return w.ResponseRecorder.Write(p)
}

// FlushError is what http.ResponseController looks for.
func (w *brokenLine) FlushError() error { return nil }

// What could not be written on a stream that broke comes on the next one, in its order.
func TestMailOutlivesItsStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := NewEndpoint(&echoBackend{}, nil)
		id := open(t, e)
		p := e.sessions.find(id, "")
		heard := func(bytes int) string {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/mcp", nil)
			r.Header.Set("Mcp-Session-Id", id)
			r.Header.Set("Accept", "text/event-stream")
			w := &brokenLine{ResponseRecorder: *httptest.NewRecorder(), left: bytes}
			e.ServeHTTP(w, r)
			return strings.Join(regexp.MustCompile("notifications/[a-z]").FindAllString(w.Body.String(), -1), " ")
		}
		for _, name := range []string{"a", "b", "c"} {
			p.Notify("notifications/"+name, nil)
		}
		if got, want := heard(100), "notifications/a"; got != want {
			t.Errorf("a stream that breaks after 100 bytes brought %s, want %s", got, want)
		}
		p.Notify("notifications/d", nil)
		p.Notify("notifications/c", nil) // waits already
		if got, want := heard(10_000), "notifications/b notifications/c notifications/d"; got != want {
			t.Errorf("the next stream brought %s, want %s", got, want)
		}
		if got := heard(10_000); got != "" {
			t.Errorf("%s came again", got)
		}
	})
}
