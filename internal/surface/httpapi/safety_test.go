package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
	"github.com/mcptest-dev/mcptest/web"
)

// requests are one for each route, with values in the place of what varies.
func requests() [][2]string {
	varies := regexp.MustCompile(`\{[^}]+\}`)
	var all [][2]string
	for _, r := range httpapi.Routes() {
		method, path, _ := strings.Cut(r.Pattern, " ")
		all = append(all, [2]string{method, varies.ReplaceAllString(path, "1")})
	}
	return append(all, [2]string{"GET", "/api/nothing"}, [2]string{"POST", "/api"}, [2]string{"DELETE", "/api/"})
}

// self is a command that leaves a file when it is started.
func self(t *testing.T) (argv []string, started string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{program, asTarget}, filepath.Join(t.TempDir(), "started")
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// A1: nothing is done for who has no token, or comes under another name.
func TestA1EveryRouteWantsTokenAndHost(t *testing.T) {
	p := newPage(t, nil, "")
	argv, started := self(t)
	server := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "x", Command: argv, Env: []string{"STARTED=" + started}})
	port := p.url[strings.LastIndexByte(p.url, ':'):]
	intruders := map[string]struct {
		header map[string]string
		want   int
	}{
		"no token":         {map[string]string{"Authorization": ""}, 401},
		"wrong token":      {map[string]string{"Authorization": "Bearer " + netguard.NewToken()}, 401},
		"garbage":          {map[string]string{"Authorization": "Bearer"}, 401},
		"another scheme":   {map[string]string{"Authorization": "Basic " + p.token}, 401},
		"in a cookie":      {map[string]string{"Authorization": "", "Cookie": "token=" + p.token}, 401},
		"evil host":        {map[string]string{"Host": "evil.example"}, 403},
		"rebinding host":   {map[string]string{"Host": "evil.example" + port}, 403},
		"host and no port": {map[string]string{"Host": "localhost"}, 403},
		"forged headers": {map[string]string{"Authorization": "", "Host": "evil.example",
			"X-Forwarded-Host": "localhost" + port, "X-Forwarded-For": "127.0.0.1",
			"Forwarded": "host=localhost", "X-Real-Ip": "127.0.0.1"}, 403},
	}
	for name, intruder := range intruders {
		answers := map[string]bool{}
		for _, r := range requests() {
			status, _, body := p.send(r[0], r[1], `{"server":"`+server.ID+`","hash":"`+server.Approval.Hash+`"}`,
				intruder.header)
			if status != intruder.want {
				t.Errorf("%s: %s %s = %d, want %d", name, r[0], r[1], status, intruder.want)
			}
			answers[body] = true
		}
		if len(answers) != 1 {
			t.Errorf("%s: %d different answers, want one: %v", name, len(answers), answers)
		}
	}
	status, _, _ := p.send("GET", "/api/hello?token="+p.token, "", map[string]string{"Authorization": ""})
	if status != 401 {
		t.Errorf("the token in the query = %d, want 401", status)
	}
	if exists(started) || len(ask[view.Links](p, "GET", "/api/links", nil).Links) > 0 {
		t.Error("something was started")
	}
}

// A2: no page of another origin gets anything, and none is ever told that it may.
func TestA2ForeignOriginsAreRefused(t *testing.T) {
	p := newPage(t, nil, "")
	port := p.url[strings.LastIndexByte(p.url, ':'):]
	origins := []string{"https://evil.example", "null", "https://127.0.0.1" + port, "http://127.0.0.1:1",
		"http://localhost.evil.example" + port,
		"http://127.0.0.1" + port + ".evil.example", "http://localhost", "file://"}
	routes := append(requests(), [2]string{"GET", "/"}, [2]string{"OPTIONS", "/api/links"}, [2]string{"OPTIONS", "/"})
	for _, origin := range origins {
		for _, r := range routes {
			status, header, _ := p.send(r[0], r[1], "{}",
				map[string]string{"Origin": origin, "Access-Control-Request-Method": "POST"})
			if status != 403 {
				t.Errorf("Origin %s: %s %s = %d, want 403", origin, r[0], r[1], status)
			}
			for name := range header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("Origin %s: %s %s has %s", origin, r[0], r[1], name)
				}
			}
		}
	}
	for _, site := range []string{"cross-site", "same-site"} {
		if status, _, _ := p.send("GET", "/api/hello", "", map[string]string{"Sec-Fetch-Site": site}); status != 403 {
			t.Errorf("Sec-Fetch-Site %s = %d, want 403", site, status)
		}
	}
	if status, header, _ := p.send("OPTIONS", "/api/links", "", map[string]string{"Origin": p.url}); status != 405 ||
		header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("OPTIONS = %d %v, want 405 without CORS", status, header)
	}
	if status, _, _ := p.send("GET", "/api/hello", "",
		map[string]string{"Origin": p.url, "Sec-Fetch-Site": "same-origin"}); status != 200 {
		t.Errorf("our own origin = %d, want 200", status)
	}
}

// A2: a link from elsewhere leads to the page, and to nothing else.
func TestA2LinksFromElsewhereOpenThePageAlone(t *testing.T) {
	p := newPage(t, nil, "")
	click := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
		"Sec-Fetch-Dest": "document", "Authorization": ""}
	if status, _, _ := p.send("GET", "/", "", click); status != 200 {
		t.Errorf("a link to the page = %d, want 200", status)
	}
	if status, _, _ := p.send("GET", "/api/hello", "", click); status != 403 {
		t.Errorf("a link to the API = %d, want 403", status)
	}
	click["Sec-Fetch-Dest"] = "iframe"
	if status, _, _ := p.send("GET", "/", "", click); status != 403 {
		t.Errorf("a frame of the page = %d, want 403", status)
	}
}

// A3: what an HTML form can send is not taken.
func TestA3OnlyJSONIsTaken(t *testing.T) {
	p := newPage(t, nil, "")
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
		"", "application/json; charset=utf-16", "text/json"} {
		for _, r := range requests() {
			if r[0] != "POST" && r[0] != "PUT" {
				continue
			}
			if status, _, _ := p.send(r[0], r[1], `{"server":"builtin-demo"}`,
				map[string]string{"Content-Type": kind}); status != 415 {
				t.Errorf("%q: %s %s = %d, want 415", kind, r[0], r[1], status)
			}
		}
	}
	if links := ask[view.Links](p, "GET", "/api/links", nil); len(links.Links) != 0 {
		t.Errorf("%d connections were opened", len(links.Links))
	}
}

// A3: a body has a bound, and what a route does not know is not ignored.
func TestA3BodiesAreBounded(t *testing.T) {
	p := newPage(t, nil, "")
	large := `{"name":"` + strings.Repeat("x", 5<<20) + `"}`
	for _, r := range requests() {
		if r[0] != "POST" || strings.HasSuffix(r[1], "/close") || strings.HasSuffix(r[1], "/reconnect") ||
			strings.HasSuffix(r[1], "/cancel") || r[1] == "/api/transcripts" || r[1] == "/api" {
			continue
		}
		if status, _, body := p.send(r[0], r[1], large, nil); status != 413 {
			t.Errorf("%s %s with 5 MiB = %d %.200s, want 413", r[0], r[1], status, body)
		}
	}
	if problem := p.refused("POST", "/api/servers", map[string]any{"name": "x", "url": "http://h/", "shell": true},
		400); !strings.Contains(problem.Message, "shell") {
		t.Errorf("an unknown field: %+v", problem)
	}
}

// A5: the token is in no answer to who has none, page and files included.
func TestA5TokenIsInNoAnswer(t *testing.T) {
	w := &workbench.Workbench{Version: "test", Secrets: redact.New()}
	token := netguard.NewToken()
	_, handler, err := httpapi.New(inspector.New(w, inspector.Options{}),
		httpapi.Options{Token: token, Hosts: []string{"127.0.0.1:1"}, Page: web.Handler()})
	if err != nil {
		t.Fatal(err)
	}
	paths := append([]string{"/", "/index.html", "/nothing", "/api/hello", "/..%2f", "/favicon.ico"}, web.Parts()...)
	for _, path := range paths {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			r := httptest.NewRequest(method, path, nil)
			r.Host = "127.0.0.1:1"
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, r)
			if all := answer.Body.String() + strings.Join(dump(answer.Header()), "\n"); strings.Contains(all, token) {
				t.Errorf("%s %s holds the token", method, path)
			}
			if answer.Header().Get("Set-Cookie") != "" {
				t.Errorf("%s %s sets a cookie", method, path)
			}
		}
	}
}

func dump(h http.Header) []string {
	var all []string
	for name, values := range h {
		all = append(all, name+": "+strings.Join(values, ", "))
	}
	return all
}

// A6: every answer forbids what the page does not need, refusals included.
func TestA6PolicyIsOnEveryAnswer(t *testing.T) {
	p := newPage(t, nil, "")
	want := map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: " +
			"blob:; media-src data: blob:; font-src 'self'; " +
			"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; " +
			"require-trusted-types-for 'script'",
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	}
	for _, r := range append(requests(), [2]string{"GET", "/"}) {
		for _, header := range []map[string]string{nil, {"Authorization": ""}, {"Host": "evil.example"}} {
			if r[1] == "/api/events" && header == nil {
				continue // it does not end
			}
			_, got, _ := p.send(r[0], r[1], "{}", header)
			for name, value := range want {
				if got.Get(name) != value {
					t.Errorf("%s %s %v: %s is %q, want %q", r[0], r[1], header, name, got.Get(name), value)
				}
			}
		}
	}
}

// A6: bytes of a server never come with a type that a browser would run.
func TestA6ContentOfServersIsInert(t *testing.T) {
	p := newPage(t, nil, "")
	page := `{"type":"text","text":"<script>alert(1)</script>"},{"type":"image","mimeType":"image/svg+xml",` +
		`"data":"PHN2Zy8+"},` +
		`{"type":"resource","resource":{"uri":"x:y","mimeType":"text/html","text":"<script>alert(1)</script>"}},` +
		`{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},{"type":"image","mimeType":"image/png; ` +
		`x=\"text/html\"","data":"iVBORw0KGgo="}`
	l := p.connect(view.NewLink{Server: p.scripted(`{"content":[` + page + `]}`)})
	c := p.call(l.ID, view.NewCall{Name: "go"})
	want := []string{"text/plain; charset=utf-8", "application/octet-stream", "text/plain; charset=utf-8", "image/png",
		"image/png"}
	if len(c.Content) != len(want) {
		t.Fatalf("%d blocks, want %d: %+v", len(c.Content), len(want), c)
	}
	for n, kind := range want {
		_, header, _ := p.send("GET", "/api/links/"+l.ID+"/calls/1/content/"+itoa(n), "", nil)
		if got := header.Get("Content-Type"); got != kind {
			t.Errorf("block %d: Content-Type is %q, want %q", n, got, kind)
		}
		if got := header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
			t.Errorf("block %d: Content-Disposition is %q, want attachment", n, got)
		}
	}
}

// A7: an address that a server sends is told to be one that must not be opened, unless it is a plain web address.
func TestA7AddressesOfServersAreJudged(t *testing.T) {
	for address, fine := range map[string]bool{
		"https://example.com/login": true, "http://127.0.0.1:1/x": true, "javascript:alert(1)": false,
		"data:text/html,x": false, "file:///etc/passwd": false,
		"vbscript:x": false, "ftp://example.com/": false, "javascript://example.com/%0aalert(1)": false,
		"file://example.com/x": false, "--flag": false, "$(id)": false, "https://user@example.com/": false,
		"https://example.com/\\r\\nx: y": true, "https:///x": false, "": false, " https://x": false,
	} {
		p := newPage(t, nil, "")
		l := p.connect(view.NewLink{Server: p.asking(`{"mode":"url","message":"Log in.","elicitationId":"1",` +
			`"url":"` + strings.ReplaceAll(address, `\`, `\\`) + `"}`)})
		ask[view.Call](p, "POST", "/api/links/"+l.ID+"/calls", view.NewCall{Name: "go"})
		q := p.question(l.ID)
		if got := q.URLProblem == ""; got != fine {
			t.Errorf("%q: may be opened is %v, want %v (%s)", address, got, fine, q.URLProblem)
		}
	}
}

// A8: addresses that lead into the machine's own network services are refused where no person means them.
func TestA8GatewayAddressesAreBounded(t *testing.T) {
	p := newPage(t, nil, "")
	for _, address := range []string{"http://169.254.169.254/", "http://[fe80::1]/", "http://0.0.0.0:1/",
		"file:///etc/passwd", "gopher://x/", "http://user:pass@127.0.0.1/", ""} {
		status, _, body := p.send("POST", "/api/gateway", encode(t, view.GatewayInput{URL: address}), nil)
		if status < 400 {
			t.Errorf("%s = %d %s, want it refused", address, status, body)
		}
	}
}

// A9: a token goes to the address that the person typed, and follows no redirect.
func TestA9GatewayTokenFollowsNoRedirect(t *testing.T) {
	got := make(chan string, 10)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		got <- r.Header.Get("Authorization")
	}))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/status", http.StatusFound)
	}))
	defer first.Close()
	p := newPage(t, nil, "")
	problem := p.refused("POST", "/api/gateway", view.GatewayInput{URL: first.URL, Token: "secret-of-the-gateway"},
		502)
	if len(got) > 0 {
		t.Errorf("the redirect was followed with %q", <-got)
	}
	if problem.Status != 302 {
		t.Errorf("the answer is told as %+v, want status 302", problem)
	}
}

// A4: it is served where no other machine can reach it, in whatever spelling another address comes.
func TestA4OnlyLoopbackIsServed(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "0:0", "0x0:0", "[::]:0", "[::ffff:0.0.0.0]:0", "[::ffff:0:0]:0",
		"１２７.０.０.１:0", "127.1:0", "0x7f000001:0", "10.0.0.1:0", "example.com:0", "127.0.0.1", "[::1%lo]:0"} {
		var out, notes strings.Builder
		ctx, cancel := context.WithTimeout(context.Background(), hang)
		code := cli.Run(ctx, &cli.Env{Args: []string{"inspect", "--listen", address}, Stdin: strings.NewReader(""),
			Stdout: &out, Stderr: &notes, Getenv: func(string) string { return "" }})
		cancel()
		if code != 2 || out.Len() > 0 {
			t.Errorf("--listen %s: exit %d, printed %q; want 2 and nothing served (%s)", address, code, out.String(),
				notes.String())
		}
	}
}
