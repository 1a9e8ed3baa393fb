package httpapi

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is worth it is compressed for clients that accept it, and arrives unchanged.
func TestResponsesAreCompressed(t *testing.T) {
	long := strings.Repeat("all responses of the API ", 1000)
	for _, test := range []struct {
		name, accept, kind, body string
		want                     bool
	}{
		{"long", "gzip, deflate, br", "application/json", long, true},
		{"short", "gzip", "application/json", "{}", false},
		{"not accepted", "br", "application/json", long, false},
		{"refused", "gzip;q=0", "application/json", long, false},
		{"an image", "gzip", "image/png", long, false},
		{"no body", "gzip", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			route := Route{handle: func(_ *Server, w http.ResponseWriter, _ *http.Request) error {
				w.Header().Set("Content-Type", test.kind)
				w.WriteHeader(http.StatusAccepted)
				if test.body != "" {
					_, _ = io.WriteString(w, test.body)
				}
				return nil
			}}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", test.accept)
			w := httptest.NewRecorder()
			(&Server{}).handler(route).ServeHTTP(w, r)
			got := w.Result()
			if packed := got.Header.Get("Content-Encoding") == "gzip"; packed != test.want || got.StatusCode != http.StatusAccepted {
				t.Fatalf("status %d, compressed %t, want 202 and %t", got.StatusCode, packed, test.want)
			}
			body := io.Reader(got.Body)
			if test.want {
				unzipped, err := gzip.NewReader(got.Body)
				if err != nil {
					t.Fatal(err)
				}
				body = unzipped
			}
			if content, err := io.ReadAll(body); err != nil || string(content) != test.body {
				t.Errorf("%d bytes, %v, want %d", len(content), err, len(test.body))
			}
		})
	}
}
