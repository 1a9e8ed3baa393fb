package auth

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// fetch asks the listener as a browser would.
func fetch(t *testing.T, method, address, host string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), resp.Header
}

func TestCallback(t *testing.T) {
	c, err := listen(0, "the-state")
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if !strings.HasPrefix(c.uri(), "http://127.0.0.1:") {
		t.Errorf("listens at %s", c.uri())
	}
	const evil = "?state=the-state&code=<script>alert(1)</script>"
	for _, r := range []struct {
		method, address, host string
		want                  int
	}{
		{"GET", strings.TrimSuffix(c.uri(), callbackPath) + "/favicon.ico", "", 404},
		{"GET", c.uri(), "", 400},
		{"POST", c.uri() + evil, "", 405},
		{"GET", c.uri() + evil, "evil.example", 403},
		{"GET", c.uri() + evil, "", 200},
		{"GET", c.uri() + evil, "", 400}, // the second answer is not taken
	} {
		status, body, header := fetch(t, r.method, r.address, r.host)
		if status != r.want || strings.Contains(body, "script") ||
			!strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s (%s): %d %q, want %d and nothing of the query", r.method, r.address, r.host, status, body,
				r.want)
		}
	}
	answer, err := c.wait(t.Context())
	if err != nil || answer.Get("state") != "the-state" || !c.ours(answer) {
		t.Errorf("answer %v, %v", answer, err)
	}
}
