package appview

import (
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const parent = "http://127.0.0.1:6280"

func open(t *testing.T) (*Sandbox, *View) {
	t.Helper()
	s, err := NewSandbox()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	v, err := s.Open(&Resource{HTML: []byte("<p>view</p>"), Permissions: []string{"clipboardWrite"}}, parent, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, v
}

// request sends a request to the sandbox under a host name.
func request(t *testing.T, s *Sandbox, method, host, path, dest, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.Origin()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Sec-Fetch-Dest", dest)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

func TestServesOnlyFramesAndViews(t *testing.T) {
	s, v := open(t)
	frames, own := "127.0.0.1:"+s.port, v.ID+".localhost:"+s.port
	for _, c := range []struct {
		method, host, path, dest string
		status                   int
	}{
		{"GET", frames, "/" + v.ID, "iframe", 200},
		{"GET", frames, "/frame.js", "script", 200},
		{"GET", own, "/", "iframe", 200},
		{"GET", own, "/", "document", 404}, // opened as a page, it would have no frame around it
		{"GET", own, "/", "empty", 404},
		{"GET", own, "/sw.js", "serviceworker", 404},
		{"GET", own, "/frame.js", "script", 404},
		{"GET", frames, "/" + v.ID, "document", 404},
		{"GET", frames, "/", "iframe", 404},
		{"GET", frames, "/00", "iframe", 404},
		{"GET", "00.localhost:" + s.port, "/", "iframe", 404},
		{"GET", "rebind.example:" + s.port, "/" + v.ID, "iframe", 404},
		{"POST", frames, "/" + v.ID, "iframe", 404},
	} {
		if got, _ := request(t, s, c.method, c.host, c.path, c.dest, ""); got.StatusCode != c.status {
			t.Errorf("%s %s%s for %s: status %d, expected %d", c.method, c.host, c.path, c.dest, got.StatusCode, c.status)
		}
	}
	v.Close()
	if got, _ := request(t, s, "GET", own, "/", "iframe", ""); got.StatusCode != 404 {
		t.Errorf("closed view: status %d, expected 404", got.StatusCode)
	}
}

// Every header is pinned: browsers apply several of them to the same load, so that a view which attacks does not show that
// one of them is missing.
func TestHeaders(t *testing.T) {
	s, v := open(t)
	frames, own := "127.0.0.1:"+s.port, v.ID+".localhost:"+s.port
	refused := "default-src 'none'; frame-ancestors 'none'"
	for _, c := range []struct {
		host, path, dest string
		different        map[string]string
	}{
		{frames, "/" + v.ID, "iframe", map[string]string{"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-src " +
				v.Origin + "; frame-ancestors " + parent}},
		{frames, "/frame.js", "script", map[string]string{"Content-Type": "text/javascript; charset=utf-8",
			"Content-Security-Policy": refused}},
		{own, "/", "iframe", map[string]string{"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": (CSP{}).policy([]string{s.Origin(), parent}, "/report"),
			"Connection-Allowlist":    "(response-origin)",
			"Permissions-Policy": "camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=(self), " +
				"display-capture=(), fullscreen=(), payment=(), usb=(), serial=(), bluetooth=(), hid=(), midi=(), " +
				"publickey-credentials-get=(), screen-wake-lock=()"}},
		{own, "/other", "iframe", map[string]string{"Content-Type": "text/plain; charset=utf-8", "Content-Security-Policy": refused}},
		{"rebind.example:" + s.port, "/", "iframe", map[string]string{"Content-Type": "text/plain; charset=utf-8",
			"Content-Security-Policy": refused}},
	} {
		answer, _ := request(t, s, "GET", c.host, c.path, c.dest, "")
		want := map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"X-Dns-Prefetch-Control": "off", "Cross-Origin-Resource-Policy": "same-origin"}
		maps.Copy(want, c.different)
		got := map[string]string{}
		for name := range answer.Header {
			if name != "Date" && name != "Content-Length" {
				got[name] = answer.Header.Get(name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("headers of %s%s (-expected +got):\n%s", c.host, c.path, diff)
		}
	}
}

// The document around a view has nothing of it, and gives it no more than the sandbox allows.
func TestFrame(t *testing.T) {
	s, v := open(t)
	_, got := request(t, s, "GET", "127.0.0.1:"+s.port, "/"+v.ID, "iframe", "")
	expected := `<!doctype html>
<meta charset="utf-8">
<title>View</title>
<body data-parent="` + parent + `" data-view="` + v.Origin + `" data-sandbox="allow-scripts allow-same-origin allow-forms" data-allow="clipboard-write">
<script src="/frame.js"></script>
`
	if got != expected {
		t.Errorf("frame\n%s\nexpected\n%s", got, expected)
	}
}

func TestReportsAreBounded(t *testing.T) {
	s, v := open(t)
	own := v.ID + ".localhost:" + s.port
	report := `{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://t.example/a.png","line-number":3}}`
	for _, body := range []string{report, report, "not JSON", `{}`, `{"csp-report":{"effective-directive":"` +
		strings.Repeat("x", maxReport) + `"}}`} {
		request(t, s, "POST", own, "/report", "report", body)
	}
	got := v.Blocked()
	if len(got) != 1 || got[0].Count != 2 || got[0].Entry != "https://t.example" || got[0].List != "resourceDomains" {
		t.Fatalf("blocked = %+v, expected one load, twice, with its entry", got)
	}
	for range maxBlocked + 10 {
		v.note(Blocked{URI: v.ID + strings.Repeat("x", len(v.Blocked()))})
	}
	if n := len(v.Blocked()); n != maxBlocked {
		t.Errorf("%d blocked loads stored, expected %d", n, maxBlocked)
	}
}

func TestOpenIsBounded(t *testing.T) {
	s, v := open(t)
	for _, origin := range []string{"", "null", "http://a b", "http://a;b", "http://*", "http://a/b"} {
		if _, err := s.Open(v.resource, origin, nil); err == nil {
			t.Errorf("a page of the origin %q was accepted", origin)
		}
	}
	for range maxViews - 1 {
		if _, err := s.Open(v.resource, parent, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Open(v.resource, parent, nil); err == nil {
		t.Errorf("view %d was opened", maxViews+1)
	}
}
