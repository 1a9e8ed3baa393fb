package appview

import (
	"io"
	"net/http"
	"strings"
	"testing"
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

func TestHeaders(t *testing.T) {
	s, v := open(t)
	frame, text := request(t, s, "GET", "127.0.0.1:"+s.port, "/"+v.ID, "iframe", "")
	expected := "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-src " + v.Origin +
		"; frame-ancestors " + parent
	if got := frame.Header.Get("Content-Security-Policy"); got != expected {
		t.Errorf("policy of the frame\n%s\nexpected\n%s", got, expected)
	}
	if strings.Contains(text, "view</p>") || !strings.Contains(text, `data-allow="clipboard-write"`) {
		t.Errorf("frame:\n%s", text)
	}
	view, _ := request(t, s, "GET", v.ID+".localhost:"+s.port, "/", "iframe", "")
	if got := view.Header.Get("Content-Security-Policy"); got != v.Policy() ||
		!strings.Contains(got, "frame-ancestors "+s.Origin()+" "+parent+";") {
		t.Errorf("policy of the view: %s", got)
	}
	if got := view.Header.Get("Permissions-Policy"); !strings.Contains(got, "camera=()") ||
		!strings.Contains(got, "clipboard-write=(self)") {
		t.Errorf("Permissions-Policy: %s", got)
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
