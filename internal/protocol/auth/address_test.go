package auth

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		resource, server string
		want             bool
	}{
		{"https://a.example/mcp", "https://a.example/mcp", true},
		{"https://a.example/mcp/", "https://a.example/mcp", true},
		{"https://a.example", "https://a.example/mcp", true},
		{"https://a.example/", "https://a.example/x/mcp", true},
		{"https://A.example:443/x", "https://a.example/x/mcp", true},
		{"https://a.example/mc", "https://a.example/mcp", false},
		{"https://a.example/mcp/other", "https://a.example/mcp", false},
		{"https://b.example/mcp", "https://a.example/mcp", false},
		{"http://a.example/mcp", "https://a.example/mcp", false},
		{"https://a.example:8443/mcp", "https://a.example/mcp", false},
		{"https://a.example.evil/mcp", "https://a.example/mcp", false},
		{"https://a.example@evil.example/mcp", "https://a.example/mcp", false},
		{"https://a.example/mcp#x", "https://a.example/mcp", false},
		{"https://a.example/mcp?t=1", "https://a.example/mcp", false},
		{"", "https://a.example/mcp", false},
	} {
		server, _ := url.Parse(c.server)
		if got := covers(c.resource, server); got != c.want {
			t.Errorf("covers(%q, %q) = %v, want %v", c.resource, c.server, got, c.want)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for _, good := range []string{"https://a.example", "https://a.example:8443/x?y=z", "http://127.0.0.1:1/x",
		"http://localhost/x", "http://[::1]:2"} {
		if _, err := checkURL(good); err != nil {
			t.Errorf("checkURL(%q): %v", good, err)
		}
	}
	for _, bad := range []string{"", "http://a.example", "javascript:alert(1)", "data:text/html,x",
		"file:///etc/passwd", "vbscript:x", "--flag", "$(id)",
		"https://a.example/\r\nX: y", "https://u:p@a.example", "https://a.example/#x", "https:///x", "//a.example",
		"http://127.0.0.1.evil.example", "http://localhost.evil.example",
		"https://a.example\\@b.example", "ftp://a.example", "http://10.0.0.1/", "https://"} {
		if u, err := checkURL(bad); err == nil {
			t.Errorf("checkURL(%q) = %v, want an error", bad, u)
		}
	}
}

func TestServerPlaces(t *testing.T) {
	for issuer, want := range map[string]string{
		"https://a.example": "https://a.example/.well-known/oauth-authorization-server " +
			"https://a.example/.well-known/openid-configuration",
		"https://a.example/": "https://a.example/.well-known/oauth-authorization-server " +
			"https://a.example/.well-known/openid-configuration",
		"https://a.example/t1": "https://a.example/.well-known/oauth-authorization-server/t1 " +
			"https://a.example/.well-known/openid-configuration/t1 " +
			"https://a.example/t1/.well-known/openid-configuration",
	} {
		if got := strings.Join(serverLocations(issuer), " "); got != want {
			t.Errorf("serverPlaces(%q) = %s\nwant %s", issuer, got, want)
		}
	}
}

// What a server at a global address names may not be a private address, unless the person allows it; what is typed may.
func TestGuard(t *testing.T) {
	neighbour := httptest.NewServer(http.NotFoundHandler())
	defer neighbour.Close()
	for _, c := range []struct {
		server string
		allow  bool
		want   string
	}{
		{"https://global.example/mcp", false, "127.0.0.0/8"},
		{"https://global.example/mcp", true, ""},
		{"http://127.0.0.1:9/mcp", false, ""},
		{neighbour.URL + "/mcp", false, ""},
	} {
		u, _ := url.Parse(c.server)
		call := newCaller(u, &Options{AllowPrivate: c.allow})
		s := &Step{}
		_, err := call.get(t.Context(), s, neighbour.URL+"/.well-known/x")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s, allowed %v: %v", c.server, c.allow, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(s.Hint.String(), "--allow-private")):
			t.Errorf("%s: %v (%s), want it blocked by %s", c.server, err, s.Hint, c.want)
		}
		call.close()
	}
}

// A server cannot lead us by a redirect to where it could not have sent us at once.
func TestGuardRedirects(t *testing.T) {
	for to, want := range map[string]string{
		"https://169.254.169.254/latest":  "169.254.0.0/16",
		"http://169.254.169.254/latest":   "neither https nor a loopback URL",
		"http://internal.example/":        "neither https nor a loopback URL",
		"file:///etc/passwd":              "not an https URL",
		"https://user:pass@host.example/": "contains a user name",
	} {
		own := httptest.NewServer(http.RedirectHandler(to, http.StatusFound))
		u, _ := url.Parse(own.URL + "/mcp")
		call := newCaller(u, &Options{AllowPrivate: true})
		s := &Step{}
		if _, err := call.get(t.Context(), s, own.URL+"/.well-known/x"); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("redirect to %s: %v, want …%s…", to, err, want)
		}
		call.close()
		own.Close()
	}
}

func TestDisguised(t *testing.T) {
	for host, want := range map[string]bool{"login.example.com": false, "127.0.0.1": false, "::1": false,
		"LOGIN-2.example": false, "xn--pple-43d.com": true, "a.XN--x.com": true, "аpple.com": true} {
		if got := isIDNHost(host); got != want {
			t.Errorf("disguised(%q) = %v, want %v", host, got, want)
		}
	}
}
