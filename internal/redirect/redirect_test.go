package redirect

import (
	"errors"
	"net/http"
	"slices"
	"testing"
)

// Each case is a redirect from the first URL over the others to the last one.
func TestPolicies(t *testing.T) {
	for _, c := range []struct {
		name       string
		urls       []string
		method     string // of the last request; the others are POST
		same       bool   // followed by SameOrigin
		other      bool   // followed by WithoutCredentials
		authorized bool   // the credentials are still sent
	}{
		{"same origin", []string{"https://a.test/x", "https://a.test/y"}, "POST", true, true, true},
		{"case of the host", []string{"https://a.test/x", "https://A.test/y"}, "POST", true, true, true},
		{"another host", []string{"https://a.test/x", "https://b.test/y"}, "POST", false, true, false},
		{"another port", []string{"https://a.test/x", "https://a.test:8443/y"}, "POST", false, true, false},
		{"to https", []string{"http://a.test/x", "https://a.test/y"}, "POST", false, true, false},
		{"to http", []string{"https://a.test/x", "http://a.test/y"}, "POST", false, false, true},
		{"to http at the second", []string{"http://a.test/x", "https://a.test/y", "http://a.test/x"}, "POST", true,
			false, true},
		{"to a file", []string{"https://a.test/x", "file:///etc/passwd"}, "POST", false, false, true},
		{"another method", []string{"https://a.test/x", "https://a.test/y"}, "GET", false, true, true},
		{"three", []string{"https://a.test/1", "https://a.test/2", "https://a.test/3", "https://a.test/4"}, "POST",
			true, true, true},
		{"four", []string{"https://a.test/1", "https://a.test/2", "https://a.test/3", "https://a.test/4",
			"https://a.test/5"}, "POST", false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []*http.Request
			for i, url := range c.urls {
				method := "POST"
				if i == len(c.urls)-1 {
					method = c.method
				}
				r, err := http.NewRequest(method, url, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer secret")
				r.Header.Set("X-Api-Key", "secret")
				r.Header.Set("Accept", "text/plain")
				all = append(all, r)
			}
			next, via := all[len(all)-1], all[:len(all)-1]
			follows(t, "SameOrigin", SameOrigin(next, slices.Clone(via)), c.same)
			follows(t, "WithoutCredentials", WithoutCredentials(next, slices.Clone(via)), c.other)
			sent := next.Header.Get("Authorization") != "" || next.Header.Get("X-Api-Key") != ""
			if sent != c.authorized || next.Header.Get("Accept") != "text/plain" {
				t.Errorf("headers %v, expected credentials: %v", next.Header, c.authorized)
			}
			if err := None(next, via); !errors.Is(err, http.ErrUseLastResponse) {
				t.Errorf("None: %v, expected the redirect itself", err)
			}
		})
	}
}

func follows(t *testing.T, policy string, err error, want bool) {
	t.Helper()
	_, refused := errors.AsType[*Error](err)
	if (err == nil) != want || refused == want {
		t.Errorf("%s: %v, expected followed: %v", policy, err, want)
	}
}
