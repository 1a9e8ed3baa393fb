package render

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// The page of the host may load its own parts and the frames of the sandbox. Only the page itself can send requests.
func TestPage(t *testing.T) {
	var got []string
	p, err := servePage("http://127.0.0.1:1", func(_ context.Context, in viewRequest) viewReply {
		got = append(got, in.Method)
		return viewReply{ResultJSON: "{}"}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	page, err := http.Get(p.origin + p.path)
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	expected := "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'; frame-src http://127.0.0.1:1"
	if policy := page.Header.Get("Content-Security-Policy"); policy != expected {
		t.Errorf("policy\n%s\nexpected\n%s", policy, expected)
	}
	for _, c := range []struct {
		path, origin string
		status       int
	}{
		{p.path + "/requests", p.origin, http.StatusOK},
		{p.path + "/requests", "", http.StatusBadRequest},
		{p.path + "/requests", "http://127.0.0.1:1", http.StatusBadRequest},
		{"/other/requests", p.origin, http.StatusNotFound},
	} {
		request, err := http.NewRequest(http.MethodPost, p.origin+c.path, strings.NewReader(`{"method":"tools/list"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Origin", c.origin)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s of %q: status %d, expected %d", strings.Replace(c.path, p.path, "PAGE", 1), c.origin, answer.StatusCode, c.status)
		}
	}
	if len(got) != 1 {
		t.Errorf("requests %q, expected one", got)
	}
}
